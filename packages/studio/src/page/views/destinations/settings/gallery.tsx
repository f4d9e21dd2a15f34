import { useState } from 'preact/hooks'
import { SearchField } from '../../../parts/fields/search-field.tsx'
import { EmptyState } from '../../../parts/page/empty-state.tsx'
import { LetterMark } from '../../../parts/signs/letter-mark.tsx'
import { addressOf } from '../../../shell/router.ts'
import type { Definition } from '../records.ts'

/** All destination types, found by name; two letters stand for each. */
export function Gallery({ definitions }: { readonly definitions: readonly Definition[] }) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = definitions
    .filter(({ displayName, type, otherTypes = [] }) =>
      [displayName, type, ...otherTypes].some((name) => name.toLowerCase().includes(wanted)),
    )
    .sort((a, b) => (a.displayName.toLowerCase() < b.displayName.toLowerCase() ? -1 : 1))
  return (
    <section class="stack" aria-label="Types">
      <SearchField label={`Search ${definitions.length} types`} value={search} onInput={setSearch} />
      <p class="unseen" role="status">
        {found.length} types
      </p>
      {found.length === 0 ? (
        <EmptyState icon="search" title="No type has this name.">
          A webhook sends events to any address, as they are or as your code makes them.
        </EmptyState>
      ) : (
        <ul class="gallery">
          {found.map(({ type, displayName }) => (
            <li key={type}>
              <a class="bare" href={addressOf('/destinations/new', { type })}>
                <LetterMark name={displayName} />
                {displayName}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
