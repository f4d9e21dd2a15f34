import './first-steps.css'
import { allows } from '../../api/session.ts'
import { CodeLines } from '../../parts/code/code-lines.tsx'
import { Tabs } from '../../parts/page/tabs.tsx'
import { showToast } from '../../parts/page/toasts.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { Keys } from '../../parts/signs/keys.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { addressOf, filters, setFilters } from '../../shell/router.ts'
import { SendEvent } from '../live/send-event.tsx'
import { sdkSnippets } from '../sources/sdk-snippets.ts'
import type { Place } from '../watch/watched-places.ts'

interface FirstStepsProps {
  readonly sources: readonly (Place & { readonly writeKey?: string })[]
  readonly destinations: readonly Place[]
}

const snippets = ['curl', 'Browser', 'Node']

/** Before the first event: a source, how to send to it, and a destination. It becomes the overview when an event comes. */
export function FirstSteps({ sources, destinations }: FirstStepsProps) {
  const source = sources.find(({ enabled }) => enabled)
  const [destination] = destinations
  const key = allows('write') ? source?.writeKey : undefined
  const way = filters.value['sdk'] ?? 'curl'
  return (
    <section class="panel first" aria-label="First steps">
      <div class="first-wait">
        <svg class="first-river" viewBox="0 0 1000 120" preserveAspectRatio="none" aria-hidden="true">
          <path d="M0 60H1000" />
        </svg>
        <span role="status">
          <Pill state="good" isLive>
            Waiting for the first event
          </Pill>
        </span>
      </div>
      <ol>
        <li>
          <span class={`first-no ${source ? 'good' : 'ink'}`}>{source ? <Icon name="check" /> : 1}</span>
          <div>
            <h2>A source</h2>
            <p>{source ? `${source.name}, with its write key.` : 'Who sends events: it gets a write key.'}</p>
            <div class="row">
              {key ? (
                <button
                  type="button"
                  class="small"
                  onClick={() =>
                    void navigator.clipboard.writeText(key).then(() => showToast('The write key is copied.'))
                  }
                >
                  <Icon name="copy" />
                  Copy the write key
                </button>
              ) : null}
              <a
                class="btn small ghost"
                href={addressOf(source ? `/sources/${encodeURIComponent(source.id)}` : '/sources')}
              >
                {source ? 'Look at it' : 'Add a source'}
              </a>
            </div>
          </div>
        </li>
        <li>
          <span class="first-no ink">2</span>
          <div>
            <h2>Send an event</h2>
            <p>With the SDK you have: those of RudderStack and Segment work as they are.</p>
            <div class="frame">
              <Tabs
                label="How to send"
                kind="inset"
                value={way}
                onChange={(sdk) => setFilters({ sdk })}
                tabs={snippets.map((title) => ({
                  id: title,
                  title,
                  content: () => (
                    <CodeLines
                      label={`How to send with ${title}`}
                      language={title === 'curl' ? 'plain' : 'javascript'}
                      text={
                        sdkSnippets
                          .find((snippet) => snippet.title === title)
                          ?.code(location.origin, key ?? 'WRITE_KEY') ?? ''
                      }
                    />
                  ),
                }))}
              />
            </div>
            <SendEvent />
          </div>
        </li>
        <li>
          <span class={`first-no ${destination ? 'good' : 'ink'}`}>{destination ? <Icon name="check" /> : 3}</span>
          <div>
            <h2>A destination</h2>
            <p>
              {destination
                ? `Events go to ${destination.name}${destinations.length > 1 ? ` and ${destinations.length - 1} more` : ''}.`
                : 'Where events go. Until there is one, they stay in the log.'}
            </p>
            <div class="row">
              <a class="btn small" href={addressOf('/destinations')}>
                <Icon name="plus" />
                Add a destination
              </a>
            </div>
          </div>
        </li>
      </ol>
      <footer class="panel-foot">
        <span class="row">
          <Keys names={['Ctrl', 'K']} /> jumps to anything, from any page.
        </span>
      </footer>
    </section>
  )
}
