import { request } from '../../api/request.ts'
import type { EventState } from '../../parts/event-state.ts'
import type { IconName } from '../../parts/signs/icon.tsx'
import { addressOf } from '../../shell/router.ts'

/** Something that a person or a program changed, as `GET /v2/changes` shows it. */
export interface RecentChange {
  readonly id: number
  readonly at: string
  readonly who: string
  readonly kind: string
  readonly subject: { readonly kind: string; readonly id: string; readonly name: string }
  readonly text: string
  readonly after?: string
}

/** Changes that are read at most. */
const changesMax = 200

/** @param sinceMs how far back, in milliseconds. */
export async function readRecentChanges(sinceMs: number, signal: AbortSignal): Promise<readonly RecentChange[]> {
  const query = new URLSearchParams({
    since: new Date(Date.now() - sinceMs).toISOString(),
    limit: String(changesMax),
  })
  return (await request<{ data: readonly RecentChange[] }>(`/v2/changes?${query}`, { signal })).data
}

const words: Readonly<Record<string, string>> = {
  published: 'published',
  rolledBack: 'rolled back',
  paused: 'paused',
  resumed: 'resumed',
}

/** Flags that a chart can show without hiding its lines. */
const flagsMax = 6

/** Returns flags for what may change the numbers of a chart, oldest first: publications and pauses, the newest of them. */
export function changeFlags(changes: readonly RecentChange[]) {
  return changes
    .filter(({ kind }) => kind in words)
    .slice(0, flagsMax)
    .reverse()
    .map(({ at, kind, subject, after }) => ({
      at: Date.parse(at),
      text: `${subject.name} ${kind === 'published' && after ? `${after} ` : ''}${words[kind]}`,
      state: (kind === 'paused' ? 'wait' : 'note') as EventState,
      href: subjectAddress(subject),
    }))
}

/** Returns where the subject of a change is shown. */
export function subjectAddress({ kind, id }: RecentChange['subject']): string {
  const views: Readonly<Record<string, string>> = {
    transformation: '/transformations/',
    destination: '/destinations/',
    source: '/sources/',
    library: '/transformations/libraries/',
  }
  const view = views[kind]
  return addressOf(view === undefined || id === '' ? '/changes' : `${view}${encodeURIComponent(id)}`)
}

/** Returns the sign of a change, and its colour. */
export function changeSign({ kind, subject }: RecentChange): { readonly icon: IconName; readonly state: EventState } {
  if (subject.kind === 'regulation') return { icon: 'shield-check', state: 'guard' }
  if (kind === 'published') return { icon: 'rocket', state: 'note' }
  if (kind === 'paused') return { icon: 'pause', state: 'wait' }
  if (kind === 'resumed') return { icon: 'play', state: 'good' }
  if (kind === 'deleted') return { icon: 'trash', state: 'idle' }
  return { icon: 'rotate-ccw-clock', state: 'note' }
}
