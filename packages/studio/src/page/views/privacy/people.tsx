import { useState } from 'preact/hooks'
import { filters, setFilters } from '../../shell/router.ts'
import { FoundUsers, searches, type UserSearch } from './found-users.tsx'
import { Regulations } from './regulations.tsx'
import { User } from './user.tsx'

const ways = { userId: 'userId', ...searches } as const

/** One field for an id: what is held of this user, and what to do about it. Below, all regulations. */
export function People() {
  const { user } = filters.value
  const [by, setBy] = useState<keyof typeof ways>('userId')
  const [text, setText] = useState(user ?? '')
  // Not in the address of the page, which browsers keep: an e-mail address does not belong there.
  const [search, setSearch] = useState<UserSearch>()
  const [changes, setChanges] = useState(0)
  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          const wanted = text.trim()
          setSearch(by === 'userId' || wanted === '' ? undefined : { by, text: wanted })
          setFilters({ user: by === 'userId' ? wanted : '' })
        }}
      >
        <label>
          Find a user by
          <select value={by} onChange={(event) => setBy(event.currentTarget.value as keyof typeof ways)}>
            {Object.entries(ways).map(([way, title]) => (
              <option key={way} value={way}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label>
          {ways[by]}
          <input
            value={text}
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Look up</button>
      </form>
      {search ? <FoundUsers key={`${search.by} ${search.text}`} search={search} /> : null}
      {user ? <User key={user} userId={user} onChanged={() => setChanges(changes + 1)} /> : null}
      <Regulations changes={changes} />
    </>
  )
}
