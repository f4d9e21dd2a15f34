import { setFilters } from '../../shell/router.ts'

interface PagesProps {
  /** Where the page begins; empty for the first. */
  readonly after: string
  /** The last id of the page; undefined when there are no further ones. */
  readonly last: number | undefined
}

/** Goes to older entries, and back to the newest. */
export function Pages({ after, last }: PagesProps) {
  return (
    <span class="row">
      {after === '' ? null : (
        <button type="button" class="small" onClick={() => setFilters({ after: '' })}>
          Newest
        </button>
      )}
      {last === undefined ? null : (
        <button type="button" class="small" onClick={() => setFilters({ after: String(last) })}>
          Older
        </button>
      )}
    </span>
  )
}
