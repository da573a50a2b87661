// The column headers of the file list. A click sorts by the column, and a second click reverses the order. The column with links isn't
// sortable.
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListQuery } from '../../../src-shared/app.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import type { Sort } from './use-files-query.ts'

export const FILE_COLUMNS = ['name', 'size', 'date', 'downloads', 'link'] as const

export function FileListHead({ query, onSort }: { readonly query: ListQuery; readonly onSort: (sort: Sort) => void }): ReactNode {
  const own = useLanguage().t.filesView.columns
  return (
    <div className="files-head" role="row" aria-rowindex={1}>
      {FILE_COLUMNS.map((column) => {
        if (column === 'link')
          return (
            <span key={column} role="columnheader" className="files-cell-link">
              {own.link}
            </span>
          )
        const isSorted = query.sort === column
        const Arrow = query.descending ? ArrowDown : ArrowUp
        return (
          <span
            key={column}
            role="columnheader"
            className={`files-cell-${column}`}
            aria-sort={isSorted ? (query.descending ? 'descending' : 'ascending') : 'none'}
          >
            <button
              type="button"
              className={`files-sort${isSorted ? ' files-sort-now' : ''}`}
              onClick={() => onSort({ sort: column, descending: isSorted ? !query.descending : column !== 'name' })}
            >
              {own[column]}
              {isSorted ? <Arrow className="icon" aria-hidden="true" /> : null}
            </button>
          </span>
        )
      })}
    </div>
  )
}
