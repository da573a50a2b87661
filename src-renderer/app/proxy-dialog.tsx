// The proxy settings in a dialog, for when the first connection fails or the proxy requires a login. The settings view shows the same rows
// under "Network", but isn't available on the welcome screen.
import type { ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { openProxyDialog, useApp } from '../state/store.ts'
import { ProxyRow } from '../views/settings/proxy-row.tsx'
import '../components/form.css'

export function ProxyDialog(): ReactNode {
  const { t } = useLanguage()
  const isOpen = useApp((state) => state.proxyDialog)
  const settings = useApp((state) => state.settings)
  const close = (): void => openProxyDialog(false)
  return (
    <Dialog title={t.settingsView.rows.proxy.label} isOpen={isOpen && settings !== null} onClose={close}>
      {settings === null ? null : <ProxyRow settings={settings} />}
      <div className="form-buttons">
        <Button variant="primary" onPress={close}>
          {t.close}
        </Button>
      </div>
    </Dialog>
  )
}
