// Words of the view `files`. The English original; its type binds the others.

export const files = {
  title: 'Files',
}
