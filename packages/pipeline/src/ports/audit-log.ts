/** Who changed something over HTTP. */
export interface AuditEntry {
  readonly workspaceId: string
  /** The access token that opened the door. */
  readonly token: string
  /** The user name that came with it: what the caller says of itself, checked by nobody. '' when there was none. */
  readonly user: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** What was answered. */
  readonly status: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Remembers who changed what; for the newest entries only. */
export interface AuditLog {
  add(entry: AuditEntry): Promise<void>
  /** The newest entries first, at most `limit`. */
  list(workspaceId: string, limit: number): Promise<readonly AuditEntry[]>
}
