import { countText } from '../../../parts/format/count.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import type { PeopleList } from './people-list.ts'
import { peopleText } from './people-text.ts'

/** Malformed lines that are named; the rest is counted. */
const namedMax = 20

/** Says what a list has: how many people, repetitions, and lines that cannot be read. */
export function ListCheck({ list: { people, duplicates, malformed, columns } }: { readonly list: PeopleList }) {
  return (
    <ul class="checks" aria-label="What the file has">
      <li class={people.length > 0 ? 'good' : 'bad'}>
        <Icon name={people.length > 0 ? 'circle-check' : 'circle-x'} />
        <span>
          {peopleText(people.length)}, by {columns.join(', ')}
        </span>
      </li>
      {duplicates === 0 ? null : (
        <li class="idle">
          <Icon name="copy" />
          <span>
            {duplicates === 1 ? '1 line repeats' : `${countText(duplicates)} lines repeat`} a person before them
          </span>
        </li>
      )}
      {malformed.length === 0 ? null : (
        <li class="bad">
          <Icon name="circle-x" />
          <span>
            {malformed.length === 1 ? '1 line' : `${countText(malformed.length)} lines`} cannot be read
            <ul>
              {malformed.slice(0, namedMax).map(({ line, reason }) => (
                <li key={line}>
                  Line {line}: {reason}
                </li>
              ))}
              {malformed.length > namedMax ? <li>and {countText(malformed.length - namedMax)} more</li> : null}
            </ul>
          </span>
        </li>
      )}
    </ul>
  )
}
