import { useState } from 'preact/hooks'
import { allows } from '../../api/session.ts'
import { CodeLines } from '../../parts/code/code-lines.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Tabs } from '../../parts/page/tabs.tsx'
import { showToast } from '../../parts/page/toasts.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { addressOf } from '../../shell/router.ts'
import type { Source } from '../destinations/records.ts'
import { FirstEvent } from './first-event.tsx'
import { sdkSnippets } from './sdk-snippets.ts'

/** Stands for the write key while it is hidden. */
const placeholder = 'WRITE_KEY'

/** How to send events to a source: a snippet for each SDK, and whether an event has come. */
export function SendEvents({ source }: { readonly source: Source }) {
  const [title, setTitle] = useState('curl')
  const [isShown, setShown] = useState(false)
  const writeKey = isShown ? source.writeKey : placeholder
  const textOf = ({ install, code }: (typeof sdkSnippets)[number]): string =>
    `${install ? `${install}\n\n` : ''}${code(location.origin, writeKey)}`
  const copy = (): void => {
    const snippet = sdkSnippets.find((each) => each.title === title)
    if (snippet === undefined) return
    navigator.clipboard.writeText(textOf(snippet)).then(
      () => showToast('Copied.'),
      () => showToast('The browser does not let this page copy: select the text.', 'bad'),
    )
  }
  return (
    <Panel
      title={`Send events to ${source.name}`}
      isFlush
      actions={
        <>
          {allows('write') ? (
            <button type="button" class="ghost small" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              <Icon name="key-round" />
              Put the write key in
            </button>
          ) : null}
          <button type="button" class="ghost small" onClick={copy}>
            <Icon name="copy" />
            Copy
          </button>
        </>
      }
      foot={
        <>
          <FirstEvent sourceId={source.id} />
          <a href={addressOf('/live', { source: source.id })}>Live events</a>
        </>
      }
    >
      <Tabs
        label="Sent by"
        kind="inset"
        value={title}
        onChange={setTitle}
        tabs={sdkSnippets.map((snippet) => ({
          id: snippet.title,
          title: snippet.title,
          content: () => (
            <CodeLines
              label={`Send an event by ${snippet.title}`}
              text={textOf(snippet)}
              language={snippet.language === 'js' ? 'javascript' : 'plain'}
            />
          ),
        }))}
      />
    </Panel>
  )
}
