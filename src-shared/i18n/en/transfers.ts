// Words of the view `transfers`. The English original; its type binds the others.

export const transfers = {
  title: 'Transfers',
}
