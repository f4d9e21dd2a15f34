import { useEffect, useState } from 'preact/hooks'
import { durationText } from '../../../../parts/format/duration-text.ts'
import { Notice } from '../../../../parts/notice.tsx'
import { Dialog } from '../../../../parts/page/dialog.tsx'
import { Skeleton } from '../../../../parts/page/skeleton.tsx'
import type { Comparison } from '../../../compare/comparison.ts'
import { ComparisonView } from '../../../compare/comparison-view.tsx'
import type { Destination } from '../../records.ts'
import type { Settings } from '../settings-form.tsx'
import { compareSettings } from './compare-settings.ts'

interface SaveDialogProps {
  readonly destination: Destination
  /** The settings that differ; the dialog is closed without any. */
  readonly changed: Settings | undefined
  /** What they are called. */
  readonly titles: string
  readonly isBusy: boolean
  readonly onSave: () => void
  readonly onClose: () => void
}

/** Shows what other settings would send for recorded events, before they are saved. */
export function SaveDialog({ destination, changed, titles, isBusy, onSave, onClose }: SaveDialogProps) {
  const { checked, problem } = useComparison(destination, changed)
  const isRisky = (checked?.found.failed ?? 0) > 0
  return (
    <Dialog
      title={`Save the settings of ${destination.name}?`}
      note={`Changed: ${titles}. In use from the next batch on.`}
      isOpen={changed !== undefined}
      onClose={onClose}
      foot={
        <>
          <span class="left">{isRisky ? `${checked?.found.failed} recorded events would fail` : ''}</span>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" class={isRisky ? 'main danger' : 'main'} disabled={isBusy} onClick={onSave}>
            {isRisky ? 'Save all the same' : 'Save it'}
          </button>
        </>
      }
    >
      {problem === undefined ? null : (
        <Notice kind="bad">What it would change is not known: {problem} The server checks it when you save.</Notice>
      )}
      {checked ? (
        <ComparisonView found={checked.found} note={`nothing is sent; ${durationText(checked.tookMs)}`} names={names} />
      ) : problem === undefined ? (
        <Skeleton lines={4} />
      ) : null}
    </Dialog>
  )
}

const names = { same: 'As now', differ: 'Differ', newlyFiltered: 'Newly filtered', failed: 'Fail' }

interface Checked {
  readonly found: Comparison
  readonly tookMs: number
}

/** Compares settings while there are some, again when they change. */
function useComparison(
  destination: Destination,
  changed: Settings | undefined,
): { readonly checked?: Checked; readonly problem?: string } {
  const [state, setState] = useState<{ readonly checked?: Checked; readonly problem?: string }>({})
  useEffect(() => {
    setState({})
    if (changed === undefined) return
    const over = new AbortController()
    const startedAt = performance.now()
    compareSettings(destination, changed, over.signal).then(
      (found) => {
        if (!over.signal.aborted) setState({ checked: { found, tookMs: performance.now() - startedAt } })
      },
      (error: unknown) => {
        if (!over.signal.aborted) setState({ problem: error instanceof Error ? error.message : String(error) })
      },
    )
    return () => over.abort()
  }, [changed])
  return state
}
