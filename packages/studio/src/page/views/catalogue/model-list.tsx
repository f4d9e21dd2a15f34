import type { CatalogueModels } from '@sluice/http'
import { SearchField } from '../../parts/fields/search-field.tsx'
import { countText } from '../../parts/format/count.tsx'
import { shortCount } from '../../parts/format/short-count.ts'
import { Tag } from '../../parts/signs/tag.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { addressOf, filters, setFilters } from '../../shell/router.ts'

type Model = CatalogueModels['models'][number]

interface ModelListProps {
  readonly models: readonly Model[]
  readonly chosen: string | undefined
  /** What is new in the time that is looked at, by the id of the model. */
  readonly marks: ReadonlyMap<string, 'new' | 'changed'>
  readonly names: ReadonlyMap<string, string>
}

/** Height of a row and of the list, in rem: large text gets large rows. */
const rowRem = 3.125
const listRem = 38
/** Where the event is below the list, in place of beside it. */
const narrow = { windowRem: 45, listRem: 16 }

/** All events that were seen, the most frequent first; one writes the name of an event or a key to filter them. */
export function ModelList({ models, chosen, marks, names }: ModelListProps) {
  const { name = '' } = filters.value
  const found = filteredModels(models, name)
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const kept = Object.fromEntries(Object.entries(filters.value).filter(([, value]) => value !== ''))
  return (
    <nav class="panel models" aria-label="Events">
      <div class="models-ask">
        <SearchField label="Event or key" value={name} onInput={(text) => setFilters({ name: text })} />
      </div>
      {found.length === 0 ? (
        <p class="side-note">{models.length === 0 ? 'No event was seen yet.' : 'No such event was seen.'}</p>
      ) : (
        <VirtualList
          label="Events that were seen, the most frequent first"
          items={found}
          rowPx={rowRem * rem}
          heightPx={(innerWidth <= narrow.windowRem * rem ? narrow.listRem : listRem) * rem}
          keyOf={({ id }) => id}
          row={({ id, type, event, sourceId, totalCount }) => (
            <a
              href={addressOf(`/catalogue/${encodeURIComponent(id)}`, kept)}
              aria-current={id === chosen ? 'true' : undefined}
            >
              <span>
                <b>
                  {event === '' ? null : <span class="unseen">{type} </span>}
                  {event || type}
                </b>
                <small>
                  {event === '' ? '' : `${type}, `}
                  {names.get(sourceId) ?? (sourceId || 'a source that is gone')}
                </small>
              </span>
              <span class="models-end">
                <small class="num">{shortCount(totalCount)}</small>
                <Mark mark={marks.get(id)} />
              </span>
            </a>
          )}
        />
      )}
      <footer class="panel-foot">
        <span>
          {countText(found.length)} of {countText(models.length)}
        </span>
        {name === '' ? null : (
          <button type="button" class="small" onClick={() => setFilters({ name: '' })}>
            All
          </button>
        )}
      </footer>
    </nav>
  )
}

function Mark({ mark }: { readonly mark: 'new' | 'changed' | undefined }) {
  return mark === undefined ? null : <Tag state="note">{mark}</Tag>
}

/** Returns the models whose type, event or key contains a text, in upper or lower case; the most frequent first. */
export function filteredModels(models: readonly Model[], text: string): readonly Model[] {
  const wanted = text.trim().toLowerCase()
  return models
    .filter(
      ({ type, event, schema }) =>
        `${type} ${event}`.toLowerCase().includes(wanted) ||
        (wanted !== '' && Object.keys(schema).some((key) => key.toLowerCase().includes(wanted))),
    )
    .sort((a, b) => b.totalCount - a.totalCount)
}
