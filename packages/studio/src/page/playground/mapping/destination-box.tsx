import { isJsonObject } from '@sluice/core'
import { useEffect, useState } from 'preact/hooks'
import type { Draft } from '../versions/draft.ts'
import type { HeldDraft } from '../versions/use-draft.ts'
import { askMapping } from './ask-mapping.ts'
import type { DestinationName, DestinationWords } from './mapping-question.ts'

/** The destination and its settings. */
export function DestinationBox({ draft, onChange }: { readonly draft: Draft; readonly onChange: HeldDraft['change'] }) {
  const { destination, settings } = draft
  const names = useNames()
  const [words, setWords] = useState<DestinationWords>()
  const [isOpen, setOpen] = useState(false)
  const choose = async (type: string): Promise<void> => {
    onChange(() => ({ destination: type, settings: '{}' }))
    if (type === '') return
    const found = await askMapping({ kind: 'describe', type }).catch(() => undefined)
    // Another one may have been chosen meanwhile, or settings written.
    const settings = JSON.stringify(found?.settings ?? {}, null, 2)
    onChange((now) => (now.destination === type && now.settings === '{}' ? { settings } : {}))
  }
  useEffect(() => {
    setWords(undefined)
    if (!isOpen || destination === '') return
    let isOver = false
    askMapping({ kind: 'describe', type: destination }).then(
      (found) => !isOver && setWords(found),
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [destination, isOpen])
  return (
    <>
      <h2 id="destination">Destination</h2>
      <div class="field">
        <select
          aria-labelledby="destination"
          value={destination}
          onChange={(event) => void choose(event.currentTarget.value)}
        >
          <option value="">none: only what the transformation returns</option>
          {(names.length > 0 || destination === '' ? names : [{ type: destination, displayName: destination }]).map(
            ({ type, displayName }) => (
              <option key={type} value={type}>
                {displayName}
              </option>
            ),
          )}
        </select>
      </div>
      {destination === '' ? null : (
        <>
          <label class="field">
            Settings
            <textarea
              class="code"
              rows={8}
              spellcheck={false}
              value={settings}
              onInput={({ currentTarget: { value } }) => onChange(() => ({ settings: value }))}
            />
          </label>
          <details onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>Which settings there are</summary>
            {words === undefined ? <p aria-busy="true" /> : <SettingsList words={words} />}
          </details>
          <p class="hint">Nothing is sent. The address of this page holds the settings with their secrets masked.</p>
        </>
      )}
    </>
  )
}

/** Names of all destinations; empty until they are known. */
function useNames(): readonly DestinationName[] {
  const [names, setNames] = useState<readonly DestinationName[]>([])
  useEffect(() => {
    askMapping({ kind: 'list' }).then(setNames, () => {})
  }, [])
  return names
}

function SettingsList({ words }: { readonly words: DestinationWords }) {
  const { properties } = words.definition.settings
  return (
    <dl class="settings">
      {Object.entries(isJsonObject(properties) ? properties : {}).map(([name, setting]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{isJsonObject(setting) ? String(setting['description'] ?? '') : ''}</dd>
        </div>
      ))}
    </dl>
  )
}
