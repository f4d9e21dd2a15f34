/** Something that is valid for a while, such as the session of a person who looks at the studio. */
export interface StoredSession {
  /** JSON. It must not contain what opens the session. */
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly endsAt: number
}

/**
 * Sessions, each under the name of its owner, a blank, and the hash of its secret. They are known to all processes that
 * share the store, and outlive them. Sessions that have ended may be returned: the caller looks at `endsAt`.
 */
export interface SessionStore {
  /** Stores a session. Beyond `sessionsMax` of its owner, those that end first are forgotten. */
  put(key: string, session: StoredSession): Promise<void>
  find(key: string): Promise<StoredSession | undefined>
  /** Removes a session, and returns it to one caller only, however many ask at the same time. */
  take(key: string): Promise<StoredSession | undefined>
}

/** Largest number of sessions of one owner, so that none ends those of others: more people do not look at one workspace. */
export const sessionsMax = 100

/** Returns with what the keys of all sessions of the same owner begin. It has no wildcard of SQL. */
export function ownerOf(key: string): string {
  return key.slice(0, key.indexOf(' ') + 1)
}
