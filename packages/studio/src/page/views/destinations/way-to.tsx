import { usePolled } from '../../api/polled.ts'
import { Icon } from '../../parts/signs/icon.tsx'
import { addressOf } from '../../shell/router.ts'
import { type Destination, readRecords } from './records.ts'

/** The way of an event to a destination: its sources, user code, and the mapping. */
export function WayTo({ destination, type }: { readonly destination: Destination; readonly type: string }) {
  const { value } = usePolled('records', readRecords, 30_000).state.value
  const { id, name, transformation: code } = destination
  const sources =
    value?.sources.filter((source) =>
      value.connections.some((each) => each.destinationId === id && each.sourceId === source.id),
    ) ?? []
  return (
    <ol class="way" aria-label="The way of an event to it">
      {sources.map((source) => (
        <li key={source.id}>
          <a href={addressOf(`/sources/${encodeURIComponent(source.id)}`)}>
            <Icon name="log-in" />
            {source.name}
          </a>
        </li>
      ))}
      {value && sources.length === 0 ? (
        <li>
          <a href={addressOf('/sources')}>No source sends to it: connect one</a>
        </li>
      ) : null}
      {code === undefined ? null : (
        <li class="to">
          {code.id === undefined ? (
            <span>
              <Icon name="code-xml" />
              {code.name}
            </span>
          ) : (
            <a href={addressOf(`/transformations/${code.id}`)}>
              <Icon name="code-xml" />
              {code.name}
            </a>
          )}
        </li>
      )}
      <li class="to">
        <span>
          <Icon name="layers" />
          {type} mapping
        </span>
      </li>
      <li class="to">
        <span>
          <Icon name="send" />
          {name}
        </span>
      </li>
    </ol>
  )
}
