/** Something that is valid for a while, such as the session of a person who looks at the studio. */
export interface StoredSession {
  /** JSON. It must not contain what opens the session. */
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly endsAt: number
}

/**
 * Sessions, each under the hash of its secret. They are known to all processes that share the store, and outlive them.
 * Sessions that have ended may be returned: the caller looks at `endsAt`.
 */
export interface SessionStore {
  /** Stores a session. Beyond `sessionsMax`, those that end first are forgotten. */
  put(key: string, session: StoredSession): Promise<void>
  find(key: string): Promise<StoredSession | undefined>
  /** Removes a session, and returns it to one caller only, however many ask at the same time. */
  take(key: string): Promise<StoredSession | undefined>
}

/** Largest number of sessions: more people than that do not look at one pipeline. */
export const sessionsMax = 1_000
