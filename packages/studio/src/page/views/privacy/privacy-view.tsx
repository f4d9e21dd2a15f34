import { useState } from 'preact/hooks'
import { filters, setFilters } from '../../shell/router.ts'
import { Regulations } from './regulations.tsx'
import { User } from './user.tsx'

/** One field for an id: what is held of this user, and what to do about it. Below, all regulations. */
export function PrivacyView() {
  const { user } = filters.value
  const [text, setText] = useState(user ?? '')
  const [changes, setChanges] = useState(0)
  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          setFilters({ user: text.trim() })
        }}
      >
        <label>
          userId
          <input
            value={text}
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Look up</button>
      </form>
      {user ? <User key={user} userId={user} onChanged={() => setChanges(changes + 1)} /> : null}
      <Regulations changes={changes} />
    </>
  )
}
