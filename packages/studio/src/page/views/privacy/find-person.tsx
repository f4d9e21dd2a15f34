import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../parts/signs/icon.tsx'
import { isAskingForPerson, wantedPerson } from './wanted-person.ts'

/** One field for any id of a person. */
export function FindPerson() {
  const [text, setText] = useState(wantedPerson.value?.identifier ?? '')
  const field = useRef<HTMLInputElement>(null)
  const isAsking = isAskingForPerson.value
  useEffect(() => {
    if (!isAsking) return
    field.current?.focus()
    field.current?.select()
    isAskingForPerson.value = false
  }, [isAsking])
  const label = 'Any id of the person'
  return (
    <section class="ask on-screen" aria-label="Find a person">
      <form
        class="ask-form"
        onSubmit={(event) => {
          event.preventDefault()
          const identifier = text.trim()
          wantedPerson.value = identifier === '' ? undefined : { identifier, isUserId: false }
        }}
      >
        <label class="input-icon">
          <span class="unseen">{label}</span>
          <Icon name="search" />
          <input
            ref={field}
            value={text}
            placeholder="User id, e-mail, phone, anonymous id or device id"
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="main">
          Find
        </button>
      </form>
      <p>
        <Icon name="lock" />
        <span>
          What you search for gets into no address, history or log. An id that was never seen and a person who is
          suppressed look the same in a search.
        </span>
      </p>
    </section>
  )
}
