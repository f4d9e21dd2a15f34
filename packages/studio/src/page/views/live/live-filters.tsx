import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Chip } from '../../parts/fields/chip.tsx'
import { SearchField } from '../../parts/fields/search-field.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { filters, setFilters } from '../../shell/router.ts'
import type { WatchedPlaces } from '../watch/watched-places.ts'
import { outcomeWords } from './outcome-words.ts'

const outcomes = ['accepted', 'delivered', 'deferred', 'dropped', 'failed']
const types = ['identify', 'track', 'page', 'screen', 'group', 'alias']

interface LiveFiltersProps {
  readonly places: WatchedPlaces | undefined
  /** Called for Enter in the search. */
  readonly onSearch: () => void
  /** At the end of the bar. */
  readonly children: ComponentChildren
}

/** One bar: a search, the filters that are set, and a button for more of them. */
export function LiveFilters({ places, onSearch, children }: LiveFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const named = (all: readonly { readonly id: string; readonly name: string }[] = []) =>
    all.map(({ id, name }) => [id, name] as const)
  const choices = [
    { key: 'source', name: 'Source', options: named(places?.sources) },
    { key: 'destination', name: 'Destination', options: named(places?.destinations) },
    {
      key: 'outcome',
      name: 'Outcome',
      options: outcomes.map((each) => [each, outcomeWords[each]?.word ?? each] as const),
    },
    { key: 'type', name: 'Type', options: types.map((each) => [each, each] as const) },
  ]
  const given = filters.value
  return (
    <>
      <div class="filters">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            onSearch()
          }}
        >
          <SearchField label="Event id, name or reason" value={given['q'] ?? ''} onInput={(q) => setFilters({ q })} />
        </form>
        {choices.map(({ key, name, options }) => {
          const value = given[key]
          return value === undefined ? null : (
            <Chip
              key={key}
              name={name}
              value={options.find(([id]) => id === value)?.[1] ?? value}
              onRemove={() => setFilters({ [key]: undefined })}
            />
          )
        })}
        <button type="button" class="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="list-filter" />
          Filter
        </button>
        {children}
      </div>
      {isOpen ? (
        <fieldset class="row live-choices">
          <legend class="unseen">Filters</legend>
          {choices.map(({ key, name, options }) => (
            <label key={key}>
              {name}
              <select value={given[key] ?? ''} onChange={(event) => setFilters({ [key]: event.currentTarget.value })}>
                <option value="">any</option>
                {options.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </fieldset>
      ) : null}
    </>
  )
}
