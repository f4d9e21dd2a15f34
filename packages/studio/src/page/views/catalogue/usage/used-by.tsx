import { EmptyState } from '../../../parts/page/empty-state.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { addressOf } from '../../../shell/router.ts'
import type { KeyUse } from './key-uses.ts'

/** Keys of one use that are listed; the rest is counted. */
const keysMax = 12

const kinds = {
  code: { icon: 'code-xml', place: 'transformations', text: 'uses ' },
  destination: { icon: 'send', place: 'destinations', text: 'maps ' },
  warehouse: { icon: 'database', place: 'warehouse', text: 'loads all of its keys' },
} as const

/** Code and destinations that use keys of an event, each with these keys. */
export function UsedBy({ uses }: { readonly uses: readonly KeyUse[] }) {
  if (uses.length === 0)
    return (
      <EmptyState icon="code-xml" title="Nothing names its keys">
        No transformation of this workspace reads a key of this event by name, and no connected destination has one in
        its settings.
      </EmptyState>
    )
  return (
    <ul class="list">
      {uses.map(({ kind, id, name, keys, note }) => (
        <li key={`${kind} ${id}`}>
          <span class="mark">
            <Icon name={kinds[kind].icon} />
          </span>
          <span>
            <a href={addressOf(`/${kinds[kind].place}/${encodeURIComponent(id)}`)}>{name}</a>
            <small>
              {kinds[kind].text}
              {keys.slice(0, keysMax).join(', ')}
              {keys.length > keysMax ? ` and ${keys.length - keysMax} more` : ''}
            </small>
          </span>
          <small>{note}</small>
        </li>
      ))}
    </ul>
  )
}
