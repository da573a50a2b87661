// Words of the view `settings`. The English original; its type binds the others.

export const settings = {
  title: 'Settings',
}
