// The welcome screen: a headline on one side, two short steps on the other. It is shown until the steps are
// done or something has been uploaded, and while the only account has no API key. If there is a key already,
// it starts at the second step.

import { Check, Upload } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import { printable } from '../../../src-shared/format.ts'
import { Button } from '../../components/button.tsx'
import { KindTile } from '../../components/kind-tile.tsx'
import { Mark } from '../../components/mark.tsx'
import { MiddleName } from '../../components/middle-name.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { call } from '../../state/client.ts'
import { discardKept, useKept } from '../../state/kept.ts'
import { firstKey } from '../../state/keyboard.ts'
import { notifyFailure } from '../../state/notices.ts'
import { change, useApp } from '../../state/store.ts'
import { ConnectForm } from '../connect/connect-form.tsx'
import { FolderStep } from './folder-step.tsx'
import './welcome.css'

const STEPS = ['connect', 'folder'] as const
type Step = (typeof STEPS)[number]

export function WelcomeView(): ReactNode {
  const { t, f } = useLanguage()
  const own = t.welcomeView
  const hasKey = useApp((state) => state.connection?.key != null)
  const knownAddress = useApp((state) => state.connection?.baseUrl != null)
  // A policy rules out a trial: a fixed address excludes the trial's service, and nothing is sent while the
  // policy file can't be used.
  const isManaged = useApp(
    (state) =>
      state.boot !== null && (state.boot.managed.address !== null || state.boot.managed.fault !== null),
  )
  const keychain = useApp((state) => state.boot?.keychain.ok !== false)
  const [step, setStep] = useState<Step>(hasKey ? 'folder' : 'connect')
  const heading = useRef<HTMLHeadingElement>(null)
  const first = useRef(true)
  const isTyped = useRef(false)

  // The keychain may not provide a key until after the first step is shown. In that case, continue with the
  // second step, unless the user has begun to type.
  useEffect(() => {
    if (hasKey && !isTyped.current) setStep('folder')
  }, [hasKey])

  // Focus the heading of a new step, so that screen readers announce it. The first step shown focuses its own
  // field instead, if it has one.
  useEffect(() => {
    if (first.current) first.current = false
    else heading.current?.focus()
  }, [step])

  const titles: Readonly<Record<Step, string>> = { connect: own.connectTitle, folder: own.folderTitle }
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
          <Example />
        </div>
        {/* Without a keychain, a banner in the form explains that the key can't be saved. */}
        <p className="welcome-foot second">{keychain ? own.keyPlace : ''}</p>
      </section>
      <section
        className="welcome-steps"
        aria-labelledby="welcome-heading"
        onInput={() => {
          isTyped.current = true
        }}
      >
        <div className="welcome-column">
          <ol className="welcome-list" aria-label={own.steps}>
            {STEPS.map((one, at) => (
              <li
                key={one}
                aria-current={one === step ? 'step' : undefined}
                className={one === step ? 'welcome-now' : 'second'}
              >
                {own.step(f.count(at + 1), own.stepNames[one])}
              </li>
            ))}
          </ol>
          <h2
            id="welcome-heading"
            ref={heading}
            tabIndex={-1}
            className={step === 'connect' ? 'hidden-text' : 'welcome-heading'}
          >
            {titles[step]}
          </h2>
          {step === 'connect' ? (
            <ConnectForm autoFocus={knownAddress ? 'key' : 'address'} onConnected={() => setStep('folder')} />
          ) : null}
          {step === 'folder' ? <FolderStep onDone={() => void change({ welcomed: true })} /> : null}
          {step === 'connect' && !knownAddress && !isManaged ? <TryIt /> : null}
          {step === 'connect' ? <KeptList /> : null}
        </div>
      </section>
    </main>
  )
}

/** What Slipway does, as three rows of its list: an upload, a copied link, and a file that others open. */
function Example(): ReactNode {
  const { t, f } = useLanguage()
  const { sentOf, downloadsTotal } = t.filesView
  const rows = [
    ['video', 'demo-walkthrough.mp4', sentOf(f.bytes(51_200_000), f.bytes(80_000_000)), f.speed(4_800_000)],
    ['picture', t.settingsView.previewName, 'files.example.com/download/k3v9x2', null],
    ['document', 'offer-2026.pdf', 'files.example.com/download/p7m2d4', downloadsTotal(12, f.count(12))],
  ] as const
  return (
    <div className="welcome-example" aria-hidden="true">
      {rows.map(([kind, name, below, end]) => (
        <div key={name} className="welcome-example-row">
          <KindTile kind={kind} />
          <span>
            <span className="strong">{name}</span>
            <span className={`second cut ${kind === 'video' ? 'small' : 'mono'}`}>{below}</span>
          </span>
          {end === null ? (
            <span className="welcome-copied good strong">
              <Check className="icon" />
              {t.copied}
            </span>
          ) : (
            <span className="second figures">{end}</span>
          )}
        </div>
      ))}
    </div>
  )
}

/**
 * Lists the files and other content that the user dropped or pasted on the welcome screen before entering an
 * API key: their number, the names of the first ones, and a button to discard all. While the list is empty,
 * it says that dropping and pasting already work.
 */
function KeptList(): ReactNode {
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
        <p className="third small">{own.dropHint(firstKey('paste'))}</p>
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

/**
 * The offer to try Slipway without an account, in the first step of the welcome screen. The shell starts a
 * service on this computer; once the service is connected, the window shows the files view.
 */
function TryIt(): ReactNode {
  const words = useLanguage()
  const own = words.t.welcomeView
  const [isStarting, setStarting] = useState(false)
  const start = async (): Promise<void> => {
    setStarting(true)
    const started = await call('startTrial', {})
    setStarting(false)
    if (!started.ok) notifyFailure(words, started.failure)
  }
  return (
    <div className="welcome-try">
      <Button isPending={isStarting} onPress={() => void start()}>
        {isStarting ? own.tryStarting : own.tryIt}
      </Button>
      <p className="third small">{own.tryHint}</p>
    </div>
  )
}
