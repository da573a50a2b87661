// Words of the view `welcome`. The English original; its type binds the others.

export const welcome = {
  title: 'Welcome',
}
