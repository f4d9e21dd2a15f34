import { useState } from 'preact/hooks'
import { usePolled } from '../../../api/polled.ts'
import { Spark } from '../../../parts/charts/spark.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { Time } from '../../../parts/format/time.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Timeline } from '../../../parts/page/timeline.tsx'
import { Pill } from '../../../parts/signs/pill.tsx'
import { countsOf, type History, totalOf, useHistory } from '../../destinations/health/history.ts'
import type { Bench } from '../bench/use-bench.ts'
import type { Version } from '../transformation.ts'
import type { Candidate } from './candidate.ts'
import { readVersionSteps } from './read-version-steps.ts'
import { VersionDialog } from './version-dialog.tsx'
import { failedDuring, isOfCode, type VersionStep } from './version-steps.ts'

interface VersionTimelineProps {
  readonly bench: Bench
  readonly onPublish: (candidate: Candidate) => void
}

/** What was published when and by whom, and what it did; each can be compared, and published again. */
export function VersionTimeline({ bench, onPublish }: VersionTimelineProps) {
  const { transformation, isChanged } = bench
  const { id, versionId, publishedVersionId, destinations = [] } = transformation
  const { value: steps = [], error } = usePolled(
    `steps ${id} ${versionId} ${publishedVersionId}`,
    (signal) => readVersionSteps(id, signal),
    10_000,
  ).state.value
  // By minute, so that what one version did is not counted for the next.
  const history = useHistory('24h', '1m')
  const [shown, setShown] = useState<Version>()
  const ids = new Set(destinations.map((each) => each.id))
  const isLive = (step: VersionStep): boolean =>
    step.kind !== 'saved' && step.until === undefined && step.version.versionId === publishedVersionId
  return (
    <section class="panel versions-panel" aria-label="Versions">
      <header class="frame-head">
        <b>Versions</b>
      </header>
      <div class="versions-body">
        {error ? <Notice kind="bad">{error.message}</Notice> : null}
        <Timeline
          label="Versions, newest first"
          moments={[
            ...(isChanged
              ? [
                  {
                    key: 'draft',
                    state: 'note' as const,
                    icon: 'git-compare' as const,
                    text: <b>Draft</b>,
                    note: 'not saved',
                    at: 'now',
                  },
                ]
              : []),
            ...steps.map((step) => {
              const failed = step.kind !== 'saved' && history ? failedDuring(step, ids, history) : undefined
              const isBad = failed !== undefined && failed > 0
              return {
                key: step.key,
                state: isBad ? ('bad' as const) : isLive(step) ? ('good' as const) : ('idle' as const),
                icon: isBad ? ('x' as const) : isLive(step) ? ('check' as const) : ('circle-dashed' as const),
                text: (
                  <>
                    <button type="button" class="bare link" onClick={() => setShown(step.version)}>
                      v{step.version.number}
                    </button>{' '}
                    {isLive(step) ? <Pill state="good">live</Pill> : null}
                  </>
                ),
                note: noteOf(step, failed),
                at: <Time at={step.at} />,
              }
            }),
          ]}
        />
      </div>
      {history && ids.size > 0 ? <Day history={history} ids={ids} /> : null}
      <VersionDialog
        bench={bench}
        version={shown}
        versions={versionsOf(steps)}
        onPublish={onPublish}
        onClose={() => setShown(undefined)}
      />
    </section>
  )
}

/** Returns each version once, the newest first: one may have been live several times. */
function versionsOf(steps: readonly VersionStep[]): readonly Version[] {
  const byId = new Map(steps.map(({ version }) => [version.versionId, version]))
  return [...byId.values()].sort((a, b) => b.number - a.number)
}

function noteOf({ kind, who }: VersionStep, failed: number | undefined): string {
  const by = who === undefined ? '' : ` by ${who}`
  if (kind === 'saved') return `saved${by}, never live`
  const how = `${kind === 'rolledBack' ? 'went back to it' : 'published'}${by}`
  return failed === undefined || failed === 0 ? how : `${how}; ${countText(failed)} events failed in it`
}

/** What the destinations behind the code got within a day. */
function Day({ history, ids }: { readonly history: History; readonly ids: ReadonlySet<string> }) {
  const isOf = ({ destinationId = '' }: { readonly destinationId?: string }): boolean => ids.has(destinationId)
  const delivered = countsOf(history, (each) => each.kind === 'delivered' && isOf(each))
  const failed = totalOf(history, (each) => isOfCode(each) && isOf(each))
  return (
    <footer class="versions-foot">
      <h3>This day</h3>
      <Spark values={perQuarter(delivered)} />
      <small>
        {countText(delivered.reduce((sum, count) => sum + count, 0))} delivered, {countText(failed)} failed in code
      </small>
    </footer>
  )
}

/** Minutes in a quarter of an hour. */
const together = 15

function perQuarter(counts: readonly number[]): readonly number[] {
  return Array.from({ length: Math.ceil(counts.length / together) }, (_, n) =>
    counts.slice(n * together, (n + 1) * together).reduce((sum, count) => sum + count, 0),
  )
}
