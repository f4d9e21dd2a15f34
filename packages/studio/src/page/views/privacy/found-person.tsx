import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { Notice } from '../../parts/notice.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { Person } from './person/person.tsx'
import type { FoundPerson as Found, PersonKey } from './person/person-report.ts'
import { wantedPerson } from './wanted-person.ts'

interface FoundPersonProps {
  readonly identifier: string
  readonly onChanged: () => void
}

const kindNames = { userId: 'userId', anonymousId: 'anonymousId', otherId: 'other id' } as const

/** Longest wait for a search, which looks through the event log. */
const searchMs = 60_000

/** Who is found by an id of any name: the person, or a choice where several have it. */
export function FoundPerson({ identifier, onChanged }: FoundPersonProps) {
  const { value, error } = usePolled(
    identifier,
    (signal) => request<Found>('/v2/users/find', { method: 'POST', body: { identifier }, signal, waitMs: searchMs }),
    0,
  ).state.value
  if (error) return <Notice kind="bad">{error.message}</Notice>
  if (value === undefined) return <Skeleton lines={4} />
  const users = value.userKeys.filter(({ kind }) => kind === 'userId')
  const others = value.userKeys.filter(({ kind }) => kind !== 'userId')
  const only = users.length === 1 ? users[0] : undefined
  if (only) return <Person userId={only.id} keys={others} onChanged={onChanged} />
  if (users.length > 1 || others.length > 0) return <Choice keys={users.length > 1 ? users : others} />
  // Not found, or suppressed: an answer that does not say which. Regulations are listed by the userId.
  return <Unknown identifier={identifier} />
}

function Choice({ keys }: { readonly keys: readonly PersonKey[] }) {
  return (
    <Panel title="Events name this person by several ids" note="Choose the one that you want to look at." isFlush>
      <ul class="list">
        {keys.map((key) => (
          <li key={`${key.kind} ${key.id}`}>
            <span class="mark">
              <Icon name="fingerprint-pattern" />
            </span>
            <span>
              {key.id}
              <small>{kindNames[key.kind]}</small>
            </span>
            <LookAt userId={key.id} text="Look at it" />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Unknown({ identifier }: { readonly identifier: string }) {
  return (
    <Panel title="No person is found by this id">
      <EmptyState
        icon="user-x"
        title="Never seen, no longer in the log, or suppressed"
        action={<LookAt userId={identifier} text="Look at it as a userId" />}
      >
        If it is a userId, you can look at what is held and at its requests, and suppress it before events come.
      </EmptyState>
    </Panel>
  )
}

function LookAt({ userId, text }: { readonly userId: string; readonly text: string }) {
  return (
    <button
      type="button"
      onClick={() => {
        wantedPerson.value = { identifier: userId, isUserId: true }
      }}
    >
      {text}
    </button>
  )
}
