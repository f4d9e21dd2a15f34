import { allows } from '../../../api/session.ts'
import { PageHead } from '../../../parts/page/page-head.tsx'
import { showToast } from '../../../parts/page/toasts.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { Keys } from '../../../parts/signs/keys.tsx'
import { Pill } from '../../../parts/signs/pill.tsx'
import { addressOf } from '../../../shell/router.ts'
import type { Bench } from './use-bench.ts'

interface BenchHeadProps {
  readonly bench: Bench
  readonly onPublish: () => void
  readonly hasVersions: boolean
  readonly onVersions: () => void
}

/** What is live, what is not saved, and what can be done with it. */
export function BenchHead({ bench, onPublish, hasVersions, onVersions }: BenchHeadProps) {
  const { transformation, isChanged, action, isRunning, run, save } = bench
  const { name } = transformation
  const mayWrite = allows('write')
  const mayPublish = mayWrite && allows('operate')
  const saveOnly = (): void =>
    void action.run(async () => {
      await save()
      showToast('Saved as a revision. The live version is the same as before.')
      return undefined
    })
  return (
    <PageHead
      title={name}
      crumbs={[{ text: 'Transformations', href: addressOf('/transformations') }]}
      state={<State bench={bench} />}
      actions={
        <>
          <button type="button" aria-expanded={hasVersions} onClick={onVersions}>
            <Icon name="rotate-ccw-clock" />
            Versions
          </button>
          <button type="button" onClick={share}>
            <Icon name="share-2" />
            Share
          </button>
          <button type="button" disabled={isRunning} onClick={() => void run()}>
            <Icon name="play" />
            Run <Keys names={['Ctrl', 'Enter']} />
          </button>
          {mayWrite ? (
            <button type="button" disabled={action.isBusy || !isChanged} onClick={saveOnly}>
              Save
            </button>
          ) : null}
          {mayPublish ? (
            <button type="button" class="main" disabled={action.isBusy} onClick={onPublish}>
              <Icon name="rocket" />
              Publish
            </button>
          ) : null}
        </>
      }
    />
  )
}

function State({ bench: { transformation, liveNumber, isChanged } }: { readonly bench: Bench }) {
  const { publishedVersionId, versionId } = transformation
  const isLive = publishedVersionId === versionId
  return (
    <>
      {publishedVersionId === null ? (
        <Pill state="idle">Not live</Pill>
      ) : (
        <Pill state="good" isLive>
          {liveNumber === undefined ? 'Live' : `v${liveNumber} is live`}
        </Pill>
      )}
      {isChanged ? (
        <Pill state="note" icon="git-compare">
          Draft, not saved
        </Pill>
      ) : isLive || publishedVersionId === null ? null : (
        <Pill state="note" icon="git-compare">
          Saved, not published
        </Pill>
      )}
    </>
  )
}

/** The address has the chosen event and the tabs, but neither code nor what is in the event. */
function share(): void {
  navigator.clipboard.writeText(location.href).then(
    () => showToast('The address is copied, with the chosen event and tabs; it has no code.'),
    () => showToast('The browser does not let this page copy: copy the address of the page.', 'bad'),
  )
}
