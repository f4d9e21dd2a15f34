/** What happened to the subject of a change. */
export const changeKinds = [
  'created',
  'changed',
  'deleted',
  'paused',
  'resumed',
  'connected',
  'disconnected',
  'saved',
  'published',
  'rolledBack',
  'cancelled',
  'doneByHand',
  'tried',
  'replayed',
  'removed',
  'fileRead',
] as const

export type ChangeKind = (typeof changeKinds)[number]

/** What a change is about. */
export interface ChangeSubject {
  /** Such as `destination`, `transformation` or `token`. */
  readonly kind: string
  readonly id: string
  /** As people call it; the id where it has no name. */
  readonly name: string
}

/** A change as a sentence for people. It has no secret and no personal data of users. */
export interface Change {
  readonly workspaceId: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The user name sent with the access token, which is not checked, or the name of the token, or what else changed it. */
  readonly who: string
  readonly kind: ChangeKind
  readonly subject: ChangeSubject
  /** The sentence after `who`, such as `paused destination Webhook shop`. */
  readonly text: string
  /** Short texts of what was there before and after; absent where they say no more than `text`. */
  readonly before?: string
  readonly after?: string
  /** Method and path of the call; absent for what no call did. */
  readonly call?: string
  /** Id of the version that was saved or published, or the digest of a workspace file. */
  readonly ref?: string
}

/** A change as it is stored. */
export interface ChangeRecord extends Change {
  /** Positive, and larger for changes that were added later. */
  readonly id: number
}

/** Which changes: those that match every member that is given. */
export interface ChangeFilter {
  /** Milliseconds since the epoch: at this time or later, and before `until`. */
  readonly since?: number
  readonly until?: number
  readonly kind?: ChangeKind
  /** Kind and id of the subject. */
  readonly subjectKind?: string
  readonly subjectId?: string
  /** Only changes with a smaller id: the id of the last one of the page before. */
  readonly before?: number
}

/** Remembers changes for people; as many of the newest as the audit log has entries. */
export interface ChangeLog {
  /** Adds changes in their order, all or none. */
  add(changes: readonly Change[]): Promise<void>
  /** The newest changes first, at most `limit`. */
  list(workspaceId: string, limit: number, filter?: ChangeFilter): Promise<readonly ChangeRecord[]>
}

/** Returns whether a filter chooses a change, for stores that look at each. */
export function isChosenChange(change: ChangeRecord, filter: ChangeFilter = {}): boolean {
  const { since, until, kind, subjectKind, subjectId, before } = filter
  return (
    (since === undefined || change.at >= since) &&
    (until === undefined || change.at < until) &&
    (kind === undefined || change.kind === kind) &&
    (subjectKind === undefined || change.subject.kind === subjectKind) &&
    (subjectId === undefined || change.subject.id === subjectId) &&
    (before === undefined || change.id < before)
  )
}
