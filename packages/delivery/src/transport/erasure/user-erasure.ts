/** Result for one user; see `Erasure` of `@sluice/regulation`. */
export type UserErasure =
  | { readonly status: 'complete'; readonly note?: string }
  | { readonly status: 'failed'; readonly reason: string; readonly retryAfterMs?: number }
  | { readonly status: 'aborted'; readonly reason: string }
  /** Accepted, and not done yet. */
  | { readonly status: 'accepted'; readonly reason: string }
