import { useState } from 'preact/hooks'
import { Chip } from '../parts/fields/chip.tsx'
import { SearchField } from '../parts/fields/search-field.tsx'
import { Segmented } from '../parts/fields/segmented.tsx'
import { Toggle } from '../parts/fields/toggle.tsx'
import { Panel } from '../parts/page/panel.tsx'
import { Icon } from '../parts/signs/icon.tsx'
import { Keys } from '../parts/signs/keys.tsx'
import { LetterMark } from '../parts/signs/letter-mark.tsx'
import { Pill } from '../parts/signs/pill.tsx'
import { Tag } from '../parts/signs/tag.tsx'

const states = [
  { state: 'good', text: 'Works' },
  { state: 'bad', text: 'Fails' },
  { state: 'wait', text: 'Waits' },
  { state: 'idle', text: 'Off' },
  { state: 'guard', text: 'Suppressed' },
  { state: 'note', text: 'Changed' },
  { state: 'ink', text: 'Has no state' },
] as const

/** States, buttons and fields. */
export function ControlsShown() {
  const [isOn, setOn] = useState(true)
  const [search, setSearch] = useState('')
  const [chips, setChips] = useState(['Web shop', 'Mobile app'])
  const [kind, setKind] = useState<'all' | 'failed'>('all')
  return (
    <>
      <Panel title="States">
        <div class="row">
          {states.map(({ state, text }) => (
            <Pill key={state} state={state} isLive={state === 'good'}>
              {text}
            </Pill>
          ))}
        </div>
        <div class="row">
          {states.map(({ state, text }) => (
            <Tag key={state} state={state} isMono={state === 'ink'}>
              {text}
            </Tag>
          ))}
        </div>
        <div class="row">
          <Pill state="bad" icon="circle-x" isBare>
            Fails for 54 min
          </Pill>
          <LetterMark name="Google Analytics 4" />
          <LetterMark name="webhook" />
          <Keys names={['Ctrl', 'Enter']} />
        </div>
      </Panel>
      <Panel title="Buttons and fields" actions={<button type="button">Beside the title</button>}>
        <div class="row">
          <button type="button" class="main">
            <Icon name="rocket" />
            Publish
          </button>
          <button type="button">Save</button>
          <button type="button" class="danger">
            Delete
          </button>
          <button type="button" class="ghost">
            Cancel
          </button>
          <button type="button" disabled>
            Busy
          </button>
          <button type="button" class="ghost square" aria-label="More">
            <Icon name="ellipsis" />
          </button>
          <a class="btn" href="#go">
            A link
          </a>
        </div>
        <div class="row filters">
          <SearchField label="Name of an event" value={search} onInput={setSearch} />
          <Segmented
            label="Outcome"
            options={[
              { value: 'all', text: 'All' },
              { value: 'failed', text: 'Failed' },
            ]}
            value={kind}
            onChange={setKind}
          />
          {chips.map((value) => (
            <Chip
              key={value}
              name="Source"
              value={value}
              onRemove={() => setChips(chips.filter((each) => each !== value))}
            />
          ))}
        </div>
        <label class="field">
          <span class="field-name">Name</span>
          <input value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
          <span class="help">Up to 200 characters.</span>
        </label>
        <Toggle label="Only people who agreed" help="Others are filtered." isOn={isOn} onChange={setOn} />
      </Panel>
    </>
  )
}
