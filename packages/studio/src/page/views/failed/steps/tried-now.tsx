import { useState } from 'preact/hooks'
import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import { JsonDifference } from '../../../parts/code/json-difference.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Skeleton } from '../../../parts/page/skeleton.tsx'
import { Pill } from '../../../parts/signs/pill.tsx'
import { type LetterGroup, mendingPlaceOf } from '../../watch/letter-groups.ts'
import type { Place } from '../../watch/watched-places.ts'
import type { DeadLetter } from '../dead-letter.ts'
import { SendAgain } from '../send-again.tsx'

interface TriedNowProps {
  readonly group: LetterGroup
  readonly letters: readonly DeadLetter[]
  readonly destination: Place | undefined
  readonly onStarted: (jobId: string) => void
}

/** What becomes of these events now: of code in the page, at a destination by sending one of them. */
export function TriedNow({ group, letters, destination, onStarted }: TriedNowProps) {
  const { id } = destination?.transformation ?? {}
  if (mendingPlaceOf(group.code) === 'code' && id !== undefined) return <TriedCode id={id} letters={letters} />
  const [newest] = letters
  if (newest === undefined) return <p class="soft">No event is left to try.</p>
  return (
    <div class="stack">
      <p class="soft">
        {mendingPlaceOf(group.code) === 'sender'
          ? 'An event stays as it was sent. Mend its sender for those to come; these pass only when the settings or the code change.'
          : 'Only the destination knows whether it takes them now. Send one, and see.'}
      </p>
      {group.count > 1 ? (
        <SendAgain choice={{ ids: [newest.id] }} count={1} text="Send the newest one again" onStarted={onStarted} />
      ) : null}
    </div>
  )
}

interface LiveCode {
  readonly name: string
  readonly versionId: string
  readonly publishedVersionId: string | null
  readonly code: string
}

/** How often it is looked whether another version is live, in milliseconds. */
const liveEveryMs = 5_000

function TriedCode({ id, letters }: { readonly id: string; readonly letters: readonly DeadLetter[] }) {
  const path = `/transformations/${encodeURIComponent(id)}`
  const record = usePolled(path, (signal) => request<LiveCode>(path, { signal }), liveEveryMs).state.value
  const live = record.value?.publishedVersionId
  const ids = letters.map((letter) => letter.id).join(' ')
  const { value, error } = usePolled(
    `tried ${live} ${ids}`,
    async (signal) => (record.value && live ? tryLive(path, record.value, live, letters, signal) : undefined),
    0,
  ).state.value
  const [isCompared, setCompared] = useState(false)
  if (record.error ?? error) return <Notice kind="bad">{(record.error ?? error)?.message}</Notice>
  if (record.value && live === null) return <p class="soft">No version is published: events pass unchanged.</p>
  if (value === undefined) return <Skeleton lines={1} />
  const { passed, output, problem } = value
  const [newest] = letters
  return (
    <div class="stack">
      <p class="soft">With the version that is live, in this page, personal data masked. Nothing was sent.</p>
      <div class="row">
        <Pill state={passed === letters.length ? 'good' : 'bad'} icon={passed === letters.length ? 'check' : 'x'}>
          {countText(passed)} of {countText(letters.length)} pass
        </Pill>
        {newest && output !== undefined ? (
          <button type="button" class="small" aria-pressed={isCompared} onClick={() => setCompared(!isCompared)}>
            Compare outputs
          </button>
        ) : null}
      </div>
      {problem === undefined ? null : <p class="in bad">{problem}</p>}
      {isCompared && newest ? (
        <JsonDifference label="What the code makes of the newest event" before={newest.event} after={output} />
      ) : null}
    </div>
  )
}

/** Runs the live version on events, in the page's own sandbox. */
async function tryLive(
  path: string,
  record: LiveCode,
  live: string,
  letters: readonly DeadLetter[],
  signal: AbortSignal,
) {
  const { code } =
    record.versionId === live
      ? record
      : await request<{ code: string }>(`${path}/versions/${encodeURIComponent(live)}`, { signal })
  const { tryInPage } = await import('../../transformations/trial/try-in-page.ts')
  const events = letters.map(({ event }) => event)
  const { outcomes, problems } = await tryInPage(record.name, code, events)
  const [newest] = outcomes
  const [first] = problems
  return {
    passed: outcomes.filter(({ kind }) => kind !== 'fail').length,
    output: newest?.kind === 'pass' ? newest.items[0] : undefined,
    problem: first && `${first.error}${first.line === undefined ? '' : ` (line ${first.line})`}`,
  }
}
