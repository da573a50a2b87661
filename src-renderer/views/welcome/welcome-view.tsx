// The welcome screen: one promise on one side, three short steps on the other. Shown until there is a connection and the steps are done; with an
// API key it starts at the second step.
import { FolderOpen, Keyboard, Link, MousePointerClick, PanelTop } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Mark } from '../../components/mark.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { keyLabel } from '../../state/keyboard.ts'
import { change, useApp } from '../../state/store.ts'
import { ConnectForm } from '../connect/connect-form.tsx'
import { FolderStep } from './folder-step.tsx'
import './welcome.css'

const STEPS = ['connect', 'folder', 'ready'] as const
type Step = (typeof STEPS)[number]

export function WelcomeView(): ReactNode {
  const { t, f } = useLanguage()
  const own = t.welcomeView
  const hasKey = useApp((state) => state.connection?.key != null)
  const keychain = useApp((state) => state.boot?.keychain.ok !== false)
  const [step, setStep] = useState<Step>(hasKey ? 'folder' : 'connect')
  const [folder, setFolder] = useState<string | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const first = useRef(true)

  // A new step gets the focus, so that screen readers announce it. At the start the first field has it.
  useEffect(() => {
    if (first.current) first.current = false
    else heading.current?.focus()
  }, [step])

  const titles: Readonly<Record<Step, string>> = { connect: own.connectTitle, folder: own.folderTitle, ready: own.readyTitle }
  return (
    <main className="welcome">
      <section className="welcome-promise" aria-label={t.appName}>
        <p className="welcome-brand">
          <Mark size={26} />
          <span>{t.appName}</span>
        </p>
        <div className="welcome-words">
          <h1 className="welcome-claim">{own.promise}</h1>
          <p className="welcome-text second">{own.promiseText}</p>
        </div>
        <p className="welcome-foot second">{keychain ? own.keyPlace : own.keyPlaceNone}</p>
      </section>
      <section className="welcome-steps" aria-labelledby="welcome-heading">
        <div className="welcome-column">
          <ol className="welcome-list" aria-label={own.steps}>
            {STEPS.map((one, at) => (
              <li key={one} aria-current={one === step ? 'step' : undefined} className={one === step ? 'welcome-now' : 'second'}>
                {own.step(f.count(at + 1), own.stepNames[one])}
              </li>
            ))}
          </ol>
          <h2 id="welcome-heading" ref={heading} tabIndex={-1} className={step === 'connect' ? 'hidden-text' : 'welcome-heading'}>
            {titles[step]}
          </h2>
          {step === 'connect' ? <ConnectForm autoFocus onConnected={() => setStep('folder')} /> : null}
          {step === 'folder' ? (
            <FolderStep
              onDone={(name) => {
                setFolder(name)
                setStep('ready')
              }}
            />
          ) : null}
          {step === 'ready' ? <Ready folder={folder} /> : null}
        </div>
      </section>
    </main>
  )
}

function Ready({ folder }: { readonly folder: string | null }): ReactNode {
  const { t } = useLanguage()
  const own = t.welcomeView
  const shortcut = useApp((state) => state.settings?.shortcut ?? null)
  return (
    <div className="form">
      <p className="second">{own.readyText}</p>
      <ul className="welcome-ready">
        <Hint icon={<MousePointerClick className="icon" />} text={own.readyDrop} />
        {folder === null ? null : <Hint icon={<FolderOpen className="icon" />} text={own.readyFolder(folder)} />}
        <Hint icon={<PanelTop className="icon" />} text={own.readyTray} />
        <Hint icon={<Link className="icon" />} text={own.readyCopy(keyLabel('mod C'))} />
        {shortcut === null ? null : <Hint icon={<Keyboard className="icon" />} text={own.readyShortcut(shortcut)} />}
      </ul>
      <div className="form-buttons">
        <Button variant="primary" onPress={() => void change({ welcomed: true })}>
          {own.openSlipway}
        </Button>
      </div>
    </div>
  )
}

function Hint({ icon, text }: { readonly icon: ReactNode; readonly text: string }): ReactNode {
  return (
    <li>
      <span className="welcome-hint-icon" aria-hidden="true">
        {icon}
      </span>
      <span>{text}</span>
    </li>
  )
}
