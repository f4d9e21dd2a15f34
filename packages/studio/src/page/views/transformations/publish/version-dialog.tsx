import { useState } from 'preact/hooks'
import { allows } from '../../../api/session.ts'
import { DiffView } from '../../../editor/lazy-diff-view.tsx'
import { Dialog } from '../../../parts/page/dialog.tsx'
import type { Bench } from '../bench/use-bench.ts'
import type { Version } from '../transformation.ts'
import type { Candidate } from './candidate.ts'

interface VersionDialogProps {
  readonly bench: Bench
  /** Closed without one. */
  readonly version: Version | undefined
  /** All versions, the newest first. */
  readonly versions: readonly Version[]
  readonly onPublish: (candidate: Candidate) => void
  readonly onClose: () => void
}

/** One version beside another one, and the button that publishes it. */
export function VersionDialog({ bench, version, versions, onPublish, onClose }: VersionDialogProps) {
  const { name, publishedVersionId } = bench.transformation
  return (
    <Dialog
      title={version === undefined ? '' : `v${version.number} of ${name}`}
      isOpen={version !== undefined}
      onClose={onClose}
      foot={
        version === undefined || version.versionId === publishedVersionId || !allows('operate') ? null : (
          <button
            type="button"
            onClick={() => {
              onClose()
              onPublish({ title: `v${version.number}`, code: version.code, versionId: version.versionId })
            }}
          >
            Publish this version
          </button>
        )
      }
    >
      {version === undefined ? null : <Compared bench={bench} version={version} versions={versions} />}
    </Dialog>
  )
}

/** Stands for the code as it is being written. */
const draft = 'draft'

/** The version against the live one, or, where it is that itself or none is live, the one before it. */
function Compared({
  bench,
  version,
  versions,
}: Pick<VersionDialogProps, 'bench' | 'versions'> & { readonly version: Version }) {
  const { transformation, code, isChanged } = bench
  const live = transformation.publishedVersionId
  const others = versions.filter(({ versionId }) => versionId !== version.versionId)
  const usual =
    others.find(({ versionId }) => versionId === live) ?? others.find(({ number }) => number < version.number)
  const [chosen, setChosen] = useState(usual?.versionId ?? others[0]?.versionId ?? draft)
  const other = others.find(({ versionId }) => versionId === chosen)
  if (others.length === 0 && !isChanged) return <p>It is the only version.</p>
  return (
    <>
      <label class="field">
        <span class="field-name">Compared with</span>
        <select value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
          {isChanged ? <option value={draft}>the draft</option> : null}
          {others.map(({ versionId, number }) => (
            <option key={versionId} value={versionId}>
              v{number}
              {versionId === live ? ', which is live' : ''}
            </option>
          ))}
        </select>
      </label>
      <DiffView
        key={chosen}
        label={`Changes from ${other ? `v${other.number}` : 'the draft'} to v${version.number}`}
        before={other?.code ?? code}
        after={version.code}
      />
    </>
  )
}
