// Lists the files and other content that the user dropped or pasted on the welcome screen before entering an API key: their number, the
// names of the first ones, and a button to discard all. While the list is empty, it says that dropping and pasting already work.
import { Upload } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { printable } from '../../../src-shared/format.ts'
import { Button } from '../../components/button.tsx'
import { MiddleName } from '../../components/middle-name.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { discardKept, useKept } from '../../state/kept.ts'
import { keyLabel } from '../../state/keyboard.ts'

export function KeptList(): ReactNode {
  const { t, f } = useLanguage()
  const own = t.welcomeView
  const { count, names } = useKept()
  const rest = count - names.length
  const box = useRef<HTMLDivElement>(null)
  // Scroll to the list after a drop or paste, because in a small window it may be out of view.
  useEffect(() => {
    if (count > 0) box.current?.scrollIntoView({ block: 'nearest' })
  }, [count])
  return (
    <div ref={box} className="welcome-drop" role="status">
      {count === 0 ? (
        <p className="third small">{own.dropHint(keyLabel('mod V'))}</p>
      ) : (
        <div className="form-note welcome-kept">
          <Upload className="icon" aria-hidden="true" />
          <div className="welcome-kept-text">
            <p className="strong">{own.kept(count, f.count(count))}</p>
            <ul className="second small">
              {names.map((name, at) => (
                // Different files can have the same name here.
                <li key={`${at} ${name}`}>
                  <MiddleName name={printable(name)} />
                </li>
              ))}
              {rest > 0 ? <li>{own.keptMore(rest, f.count(rest))}</li> : null}
            </ul>
          </div>
          <Button size="small" variant="quiet" onPress={discardKept}>
            {own.discardKept}
          </Button>
        </div>
      )}
    </div>
  )
}
