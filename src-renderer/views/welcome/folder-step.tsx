// The step in which the user chooses a folder in the system's dialog. It then shows the folder's content, the
// forecast under the plan's limits, and the folder's form. Nothing is uploaded before the user confirms. The
// path stays in the shell; the page gets a token for it.
import { Folder as FolderIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Failure } from '../../../src-shared/engine-contract.ts'
import { printable } from '../../../src-shared/format.ts'
import type { Picked } from '../../../src-shared/window-contract.ts'
import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { PickedFolder } from '../../components/picked-folder.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { call } from '../../state/client.ts'
import { failureNow } from '../../state/failures.ts'
import '../../components/field.css'
import '../../components/form.css'

export function FolderStep({ onDone }: { readonly onDone: () => void }): ReactNode {
  const words = useLanguage()
  const own = words.t.welcomeView
  const [chosen, setChosen] = useState<Picked | null>(null)
  const [isChoosing, setChoosing] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  const choose = async (): Promise<void> => {
    setChoosing(true)
    setFailure(null)
    const got = await call('chooseFolder', {})
    setChoosing(false)
    if (!got.ok) setFailure(got.failure)
    else if (got.value !== null) setChosen(got.value)
  }
  const said = failure === null ? null : failureNow(words, failure, 'watchPicked')
  const skip = (
    <Button variant="quiet" onPress={() => onDone()}>
      {own.skip}
    </Button>
  )
  return (
    <div className="form">
      <p className="second">{own.folderText}</p>
      {said === null ? null : <Banner tone="problem" title={said.title} hint={said.hint} />}
      {chosen === null ? (
        <>
          <div className="form-buttons">
            <Button variant="primary" isPending={isChoosing} onPress={() => void choose()}>
              {isChoosing ? own.counting : own.choose}
            </Button>
            {skip}
          </div>
          <p className="third small">{own.skipHint}</p>
        </>
      ) : (
        <>
          <p className="welcome-folder strong">
            <FolderIcon className="icon" aria-hidden="true" />
            <bdi>{printable(chosen.name)}</bdi>
          </p>
          <PickedFolder
            key={chosen.token}
            picked={chosen}
            onWatch={onDone}
            onLost={(lost) => {
              setChosen(null)
              setFailure(lost)
            }}
            buttonsAfter={
              <>
                <Button isPending={isChoosing} onPress={() => void choose()}>
                  {isChoosing ? own.counting : own.chooseOther}
                </Button>
                {skip}
              </>
            }
          />
        </>
      )}
      <p className="hidden-text" role="status">
        {isChoosing ? own.counting : ''}
      </p>
    </div>
  )
}
