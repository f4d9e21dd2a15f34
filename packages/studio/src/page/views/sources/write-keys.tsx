import { useState } from 'preact/hooks'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { Source } from '../destinations/records.ts'

/** How long the present key stays valid after a rotation, in seconds: the API allows at most 30 days. */
const overlaps = [
  { title: 'an hour', seconds: 3_600 },
  { title: 'a day', seconds: 86_400 },
  { title: '7 days', seconds: 604_800 },
  { title: '30 days', seconds: 2_592_000 },
] as const

/** The write keys of a source, shown when asked for, and their rotation. */
export function WriteKeys({
  source,
  address,
  onChanged,
}: {
  readonly source: Source
  readonly address: string
  readonly onChanged: () => Promise<void>
}) {
  const { name, writeKey, formerWriteKey: former, managedBy } = source
  const [isShown, setShown] = useState(false)
  const [seconds, setSeconds] = useState<number>(86_400)
  const action = useAction()
  const isFixed = managedBy === 'file' || !allows('write') || !allows('operate')
  const overlap = overlaps.find((each) => each.seconds === seconds)?.title
  const rotate = (): void =>
    void action.run(async () => {
      await request(`${address}/rotate-write-key`, { method: 'POST', body: { validForSeconds: seconds } })
      await onChanged()
      return `There is a new write key. The one before is accepted for ${overlap} more.`
    })
  const end = (): void =>
    void action.run(async () => {
      await request(address, { method: 'PUT', body: { formerWriteKey: null } })
      await onChanged()
      return 'Only the present write key is accepted.'
    })
  return (
    <Panel
      title="Write keys"
      note={allows('write') ? 'A sender signs in with one.' : 'Write keys are shown to those who have the scope write.'}
      actions={
        allows('write') ? (
          <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            <Icon name="eye" />
            Show write keys
          </button>
        ) : null
      }
    >
      <dl class="write-keys">
        <dt>Present key</dt>
        <dd>{isShown ? <code>{writeKey}</code> : 'hidden'}</dd>
        {former ? (
          <>
            <dt>
              Former key, accepted until <Time at={former.validUntil} />
            </dt>
            <dd>{isShown ? <code>{former.writeKey}</code> : 'hidden'}</dd>
          </>
        ) : null}
      </dl>
      <Outcome action={action} />
      {isFixed ? null : (
        <div class="row">
          <label>
            Keep the present key for
            <select value={seconds} onChange={(event) => setSeconds(Number(event.currentTarget.value))}>
              {overlaps.map((each) => (
                <option key={each.seconds} value={each.seconds}>
                  {each.title}
                </option>
              ))}
            </select>
          </label>
          <ConfirmButton
            text="Rotate"
            question={`${name} gets a new write key. The present key is accepted for ${overlap} more.${former ? ' The former key is refused from now on.' : ''}`}
            confirm="Make a new write key"
            isDisabled={action.isBusy}
            onConfirm={rotate}
          />
          {former ? (
            <ConfirmButton
              text="End the former key"
              question={`The former write key of ${name} is refused from now on: senders that still use it lose their events.`}
              confirm="End it"
              isDanger
              isDisabled={action.isBusy}
              onConfirm={end}
            />
          ) : null}
        </div>
      )}
    </Panel>
  )
}
