// Asks whether links should be copied automatically for folders that were already watched before Slipway had this feature. The user can
// change the answer in each folder's settings.
import type { ReactNode } from 'react'
import { Banner } from '../components/banner.tsx'
import { Button } from '../components/button.tsx'
import { useAsk } from '../hooks/use-ask.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import { folderName } from '../lib/path-names.ts'
import { go, useApp } from '../state/store.ts'
import { chooseSection } from '../views/settings/section-store.ts'

const NAMED_MOST = 3

export function CopyOffer(): ReactNode {
  const { t, f } = useLanguage()
  const ask = useAsk()
  const settings = useApp((state) => state.settings)
  const folders = useApp((state) => state.snapshot?.folders)
  const asked = folders?.filter((folder) => settings?.copyAsk?.includes(folder.path)) ?? []
  if (settings?.copyWatched !== 'chosen' || asked.length === 0) return null
  const names = asked.slice(0, NAMED_MOST).map((folder) => folderName(folder.path))
  const more = asked.length - names.length
  const answer = (copy: boolean): void => void ask('answerCopies', { copy })
  return (
    <Banner
      tone="info"
      title={t.copyOffer}
      hint={t.copyOfferHint(t.deleteNames(names, more, f.count(more)))}
      action={
        <>
          {asked.length === 1 ? null : (
            <Button
              size="small"
              onPress={() => {
                answer(false)
                chooseSection('folders')
                go('settings')
              }}
            >
              {t.copyOfferChoose}
            </Button>
          )}
          <Button size="small" onPress={() => answer(false)}>
            {t.copyOfferLater}
          </Button>
          <Button size="small" onPress={() => answer(true)}>
            {t.copyOfferDo}
          </Button>
        </>
      }
    />
  )
}
