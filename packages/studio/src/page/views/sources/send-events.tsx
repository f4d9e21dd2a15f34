import { useState } from 'preact/hooks'
import { allows } from '../../api/session.ts'
import { Scroll } from '../../parts/scroll.tsx'
import type { Source } from '../destinations/records.ts'
import { FirstEvent } from './first-event.tsx'
import { type SdkSnippet, sdkSnippets } from './sdk-snippets.ts'

/** Stands for the write key while it is hidden. */
const placeholder = 'WRITE_KEY'

/** How to send events to a source: a snippet for each SDK, and whether an event has come. */
export function SendEvents({ source }: { readonly source: Source }) {
  const [title, setTitle] = useState('curl')
  const [isShown, setShown] = useState(false)
  const snippet = sdkSnippets.find((each) => each.title === title)
  return (
    <section aria-label="Send events" class="card">
      <h3>Send events</h3>
      <FirstEvent sourceId={source.id} />
      <div class="row">
        <label>
          Sent by
          <select value={title} onChange={(event) => setTitle(event.currentTarget.value)}>
            {sdkSnippets.map((each) => (
              <option key={each.title}>{each.title}</option>
            ))}
          </select>
        </label>
        {allows('write') ? (
          <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            Put the write key in
          </button>
        ) : null}
      </div>
      {snippet ? <Snippet snippet={snippet} writeKey={isShown ? source.writeKey : placeholder} /> : null}
    </section>
  )
}

function Snippet({ snippet, writeKey }: { readonly snippet: SdkSnippet; readonly writeKey: string }) {
  const { title, install, code } = snippet
  return (
    <Scroll label={`Send an event by ${title}`}>
      <pre class="payload">
        {install ? `${install}\n\n` : ''}
        {code(location.origin, writeKey)}
      </pre>
    </Scroll>
  )
}
