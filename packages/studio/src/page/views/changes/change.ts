import type { EventState } from '../../parts/event-state.ts'
import type { IconName } from '../../parts/signs/icon.tsx'
import { addressOf } from '../../shell/router.ts'

/** A change, as `GET /v2/changes` lists it. */
export interface Change {
  readonly id: number
  readonly at: string
  readonly who: string
  readonly kind: string
  readonly subject: { readonly kind: string; readonly id: string; readonly name: string }
  /** The sentence after `who`. */
  readonly text: string
  readonly before?: string
  readonly after?: string
  readonly call?: string
}

/** What can be filtered for, in words. */
export const kindTexts: Readonly<Record<string, string>> = {
  created: 'Created',
  changed: 'Changed',
  deleted: 'Deleted',
  paused: 'Paused',
  resumed: 'Resumed',
  connected: 'Connected',
  disconnected: 'Disconnected',
  saved: 'Saved',
  published: 'Published',
  rolledBack: 'Rolled back',
  cancelled: 'Cancelled',
  doneByHand: 'Done by a person',
  tried: 'Tried early',
  replayed: 'Sent again',
  removed: 'Removed',
  fileRead: 'File read',
}

/** Kinds of parts that changes are about. */
export const partTexts: Readonly<Record<string, string>> = {
  source: 'Sources',
  destination: 'Destinations',
  connection: 'Connections',
  transformation: 'Transformations',
  library: 'Libraries',
  regulation: 'Regulations',
  token: 'Access tokens',
  workspace: 'Workspace',
}

const looks: Readonly<Record<string, readonly [IconName, EventState]>> = {
  created: ['plus', 'note'],
  published: ['rocket', 'note'],
  rolledBack: ['rotate-ccw-clock', 'wait'],
  paused: ['pause', 'wait'],
  resumed: ['play', 'good'],
  deleted: ['trash', 'bad'],
  removed: ['trash', 'bad'],
  cancelled: ['x', 'idle'],
  doneByHand: ['file-check', 'good'],
  tried: ['refresh-cw', 'note'],
  replayed: ['refresh-cw', 'note'],
  connected: ['waypoints', 'note'],
  disconnected: ['waypoints', 'idle'],
  saved: ['code-xml', 'idle'],
}

/** Returns the sign of a change: what is done to people's data is `guard`, whatever was done. */
export function lookOf({ kind, subject }: Change): { readonly icon: IconName; readonly state: EventState } {
  if (subject.kind === 'regulation')
    return { icon: kind === 'doneByHand' ? 'file-check' : 'shield-check', state: 'guard' }
  if (subject.kind === 'token') return { icon: 'key-round', state: 'note' }
  const [icon, state] = looks[kind] ?? ['settings-2', 'idle']
  return { icon, state }
}

const pages: Readonly<Record<string, string>> = {
  source: '/sources/',
  destination: '/destinations/',
  transformation: '/transformations/',
  library: '/transformations/libraries/',
}

/** Returns the page of what was changed; undefined where it has none, or is gone. */
export function pageOf({ kind, subject }: Change): string | undefined {
  const page = pages[subject.kind]
  if (subject.kind === 'regulation') return addressOf('/privacy')
  return page === undefined || subject.id === '' || kind === 'deleted'
    ? undefined
    : addressOf(`${page}${encodeURIComponent(subject.id)}`)
}
