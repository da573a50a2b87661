// The rows for the proxy, in the settings and in a dialog (app/dialogs.tsx): a choice of the system's proxy,
// none or an address, and the login for it. An unusable address isn't saved; the previous setting stays in
// effect.
import { type ReactNode, useId, useState } from 'react'
import { FieldError } from '../../components/field-error.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { TextInput } from '../../components/text-input.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { ProxyLoginRow } from './proxy-login-row.tsx'
import { optionsOf, type SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { useDraft } from './use-draft.ts'
import { useSaveSetting } from './use-save-setting.ts'
import './settings.css'

export function ProxyRow({ settings }: SectionProps): ReactNode {
  const words = useLanguage().t.settingsView
  const save = useSaveSetting()
  const errorId = useId()
  const saved = settings.proxy
  // Choosing "Address" only opens the field. The previous setting stays in effect until the field contains a
  // usable address.
  const [typing, setTyping] = useState(false)
  const mode = typing ? 'address' : proxyMode(saved)
  const draft = useDraft(proxyMode(saved) === 'address' ? saved : '', (text) => {
    const read = readProxy(text)
    if (read.ok && read.value !== saved) save('proxy', { proxy: read.value }, true)
  })
  const read = readProxy(draft.text)
  const fault = mode === 'address' && !read.ok ? words.proxyFaults[read.why] : null
  const inUse = saved === 'system' ? words.proxySystem : saved === 'none' ? words.proxyNone : saved
  return (
    <>
      <SettingRow
        id="proxy"
        note={
          <FieldError
            id={errorId}
            text={fault}
            {...(fault === null ? {} : { more: words.oldStays(inUse) })}
          />
        }
      >
        {(ids) => (
          <span className="field-stack">
            <Segmented
              labelledBy={ids.labelledBy}
              describedBy={ids.describedBy}
              value={mode}
              options={optionsOf(['system', 'none', 'address'], words.proxies)}
              onChange={(chosen) => {
                setTyping(chosen === 'address')
                if (chosen !== 'address') save('proxy', { proxy: chosen })
              }}
            />
            {mode === 'address' ? (
              <TextInput
                ids={ids}
                label={words.proxyLabel}
                value={draft.text}
                placeholder="http://proxy:3128"
                ltr
                error={fault}
                errorId={errorId}
                onChange={draft.edit}
                onBlur={() => draft.leave(!read.ok)}
                onEnter={() => draft.leave(true)}
                onEscape={draft.cancel}
              />
            ) : null}
          </span>
        )}
      </SettingRow>
      {mode === 'none' ? null : (
        <ProxyLoginRow proxy={mode === 'system' ? 'system' : read.ok ? read.value : null} />
      )}
    </>
  )
}

// Parses a typed proxy address. Returns a value for the settings, or why the address is invalid. Accepts
// http, https and socks5; without a scheme, http is assumed. User names and passwords are refused, because
// the settings are a plain text file. Pure.
type ProxyFault = 'empty' | 'unreadable' | 'scheme' | 'password' | 'path'
type ProxyAddress =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly why: ProxyFault }

type ProxyMode = 'system' | 'none' | 'address'

export function proxyMode(value: string): ProxyMode {
  return value === 'system' || value === 'none' ? value : 'address'
}

const SCHEMES: readonly string[] = ['http', 'https', 'socks5']
/** Maximum length of an address (settings.ts). */
const MOST = 2000

/** Parses a typed address. Never throws: if it can't be used, `ok` is false and `why` is the reason. */
export function readProxy(text: string): ProxyAddress {
  const typed = text.trim()
  if (typed === '') return { ok: false, why: 'empty' }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(typed)?.[1]?.toLowerCase()
  if (scheme !== undefined && !SCHEMES.includes(scheme)) return { ok: false, why: 'scheme' }
  const whole = scheme === undefined ? `http://${typed}` : typed
  if (typed.length > MOST || /\s/.test(typed) || !URL.canParse(whole)) return { ok: false, why: 'unreadable' }
  const url = new URL(whole)
  if (url.hostname === '' || typed === 'system' || typed === 'none') return { ok: false, why: 'unreadable' }
  if (url.username !== '' || url.password !== '') return { ok: false, why: 'password' }
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '')
    return { ok: false, why: 'path' }
  return { ok: true, value: `${url.protocol}//${url.host}` }
}
