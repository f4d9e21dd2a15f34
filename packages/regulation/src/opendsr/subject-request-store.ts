import type { SubjectRequest } from './subject-request.ts'

/** A stored request, and when its call-backs are looked at again; undefined when there is nothing more to report. */
export interface StoredSubjectRequest {
  readonly request: SubjectRequest
  /** Milliseconds since the epoch. */
  readonly dueAt: number | undefined
}

/** Longest time between two looks at a request with call-backs, in milliseconds. */
export const lookMsMax = 6 * 3_600_000

/**
 * Returns whether a request is to be looked at: its time has come, or lies further ahead than any, because the clock was
 * ahead when it was set.
 */
export function isLookDue(dueAt: number, now: number): boolean {
  return dueAt <= now || dueAt > now + lookMsMax
}

/** Stores the requests of controllers with the call-backs that are due, so that a restart forgets none. */
export interface SubjectRequestStore {
  /** Adds a request unless the workspace has one with its id. @returns the one that is stored. */
  add(stored: StoredSubjectRequest): Promise<SubjectRequest>
  find(workspaceId: string, id: string): Promise<SubjectRequest | undefined>
  /** Returns requests of all workspaces that are to be looked at, the earliest first; see `isLookDue`. */
  due(now: number, limit: number): Promise<readonly StoredSubjectRequest[]>
  /** Returns the earliest time of a look that lies after `now`; undefined when there is none. */
  nextDueAt(now: number): Promise<number | undefined>
  /**
   * Replaces a request after a look. A time that was brought forward since the look began stays.
   * @param seenDueAt as it was when the look began.
   */
  update(stored: StoredSubjectRequest, seenDueAt: number): Promise<void>
  /** Has the requests of these regulations looked at from `now` on, unless they have nothing more to report. */
  bringForward(workspaceId: string, regulationIds: readonly string[], now: number): Promise<void>
  /** Forgets requests that came before a time, and have nothing more to report. */
  forget(before: number): Promise<void>
}
