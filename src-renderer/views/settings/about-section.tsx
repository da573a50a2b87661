// The About section shows the version and updates, and has buttons for the data folder, the log, a report for
// requests for help, and the licences of the bundled packages.
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { call } from '../../state/client.ts'
import { valueOrNotice } from '../../state/notices.ts'
import { useApp } from '../../state/store.ts'
import type { SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { UpdateRows } from './update-rows.tsx'

export function AboutSection({ settings }: SectionProps): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const boot = useApp((state) => state.boot)
  const [licences, setLicences] = useState<string | null>(null)
  const ask = async (what: 'openData' | 'openLog'): Promise<void> => {
    await valueOrNotice({ t, f }, call(what, {}), what)
  }
  const readLicences = async (): Promise<void> => {
    const read = await valueOrNotice({ t, f }, call('licences', {}), 'licences')
    if (read !== null) setLicences(read.text)
  }
  return (
    <>
      <SettingRow id="version" note={<p className="settings-row-hint">{words.noTelemetry}</p>}>
        {() => (
          <span className="settings-value selectable">
            {boot === null ? t.unknown : words.versionOf(boot.version, boot.electron)}
          </span>
        )}
      </SettingRow>
      <UpdateRows settings={settings} />
      <SettingRow
        id="data"
        note={
          <p className="settings-row-hint settings-path selectable" dir="ltr">
            {boot?.dataDir ?? ''}
          </p>
        }
      >
        {() => <Button onPress={() => void ask('openData')}>{words.openData}</Button>}
      </SettingRow>
      <SettingRow id="log">
        {() => <Button onPress={() => void ask('openLog')}>{words.openLog}</Button>}
      </SettingRow>
      <Diagnostics />
      <SettingRow id="licences">
        {() => <Button onPress={() => void readLicences()}>{words.licences}</Button>}
      </SettingRow>
      <Dialog
        title={words.licencesTitle}
        isOpen={licences !== null}
        onClose={() => setLicences(null)}
        size="wide"
      >
        <pre className="settings-licences mono selectable" tabIndex={0} dir="ltr">
          {licences}
        </pre>
      </Dialog>
    </>
  )
}

/** Shows the report before it can be saved or copied. */
function Diagnostics(): ReactNode {
  const language = useLanguage()
  const { t } = language
  const words = t.settingsView
  const [report, setReport] = useState<string | null>(null)
  const read = async (): Promise<void> => {
    const got = await valueOrNotice(language, call('diagnostics', {}), 'diagnostics')
    if (got !== null) setReport(got.text)
  }
  const save = async (): Promise<void> => {
    const got = await valueOrNotice(language, call('saveDiagnostics', {}), 'saveDiagnostics')
    if (got?.saved === true) setReport(null)
  }
  return (
    <SettingRow id="diagnostics">
      {() => (
        <>
          <Button onPress={() => void read()}>{words.diagnostics}</Button>
          <Dialog
            title={words.rows.diagnostics.label}
            isOpen={report !== null}
            onClose={() => setReport(null)}
            size="wide"
          >
            <p className="second">{words.diagnosticsHint}</p>
            <pre className="settings-licences mono selectable" tabIndex={0} dir="ltr">
              {report}
            </pre>
            <div className="form-buttons">
              <Button variant="primary" onPress={() => void save()}>
                {words.diagnosticsSave}
              </Button>
            </div>
          </Dialog>
        </>
      )}
    </SettingRow>
  )
}
