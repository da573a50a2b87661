// Words of the view `usage`. The English original; its type binds the others.

export const usage = {
  title: 'Usage',
}
