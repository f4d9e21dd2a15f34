import { useState } from 'preact/hooks'
import { request } from '../../../api/request.ts'
import { allows } from '../../../api/session.ts'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { Time } from '../../../parts/format/time.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { Pill } from '../../../parts/signs/pill.tsx'
import { Tag } from '../../../parts/signs/tag.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { EraseDialog } from './erase-dialog.tsx'
import type { PersonKey, PersonReport } from './person-report.ts'

interface PersonHeadProps {
  readonly userId: string
  readonly keys: readonly PersonKey[]
  readonly report: PersonReport
  readonly onChanged: () => Promise<void>
}

/** Who it is, whether events of the person pass, and what can be done. */
export function PersonHead({ userId, keys, report, onChanged }: PersonHeadProps) {
  const action = useAction()
  const [isErasing, setErasing] = useState(false)
  const { regulations } = report
  const since = regulations.map(({ createdAt }) => createdAt).sort()[0]
  const mayChange = allows('write') && allows('operate')
  const suppress = (): void =>
    void action.run(async () => {
      const body = { regulationType: 'suppress', users: [{ userId }] }
      await request('/v2/regulations', { method: 'POST', body, waitMs: 60_000 })
      await onChanged()
      return 'In force: no event of this person passes from now on.'
    })
  const lift = (): void =>
    void action.run(async () => {
      for (const { id } of regulations)
        await request(`/v2/regulations/${encodeURIComponent(id)}`, { method: 'DELETE', waitMs: 60_000 })
      await onChanged()
      return 'Lifted: events of this person pass again.'
    })
  return (
    <>
      <header class="panel-head person-head">
        <span class="face">
          <Icon name={since ? 'user-x' : 'users'} />
        </span>
        <div class="person-name">
          <h2>{userId}</h2>
          {since ? (
            <Pill state="guard" icon="shield-check">
              Suppressed&nbsp;
              <Time at={since} />
            </Pill>
          ) : (
            <Pill state="good">Events pass</Pill>
          )}
        </div>
        {mayChange ? (
          <div class="row person-deeds">
            {since ? (
              <ConfirmButton
                text="Lift it"
                question={`Events of ${userId} pass again from the next batch on, and deletions that have not begun are given up. What was deleted stays deleted.`}
                confirm="Lift the suppression"
                isDisabled={action.isBusy}
                onConfirm={lift}
              />
            ) : (
              <ConfirmButton
                text="Suppress"
                question={`From the next batch on, all events of ${userId} are dropped at all sources, before they are stored. What is held stays.`}
                confirm="Suppress this person"
                isDisabled={action.isBusy}
                onConfirm={suppress}
              />
            )}
            <button type="button" class="danger" disabled={action.isBusy} onClick={() => setErasing(true)}>
              <Icon name="trash" />
              Suppress and delete
            </button>
          </div>
        ) : null}
      </header>
      {mayChange ? null : (
        <Notice kind="plain">Your token may look only: suppressing needs the scopes write and operate.</Notice>
      )}
      <Outcome action={action} />
      {keys.length === 0 ? null : (
        <dl class="ids">
          <div>
            <dt>Also known as</dt>
            <dd class="row">
              {keys.map(({ kind, id }) => (
                <Tag key={`${kind} ${id}`} isMono>
                  {kind === 'otherId' ? 'other id' : kind} {id}
                </Tag>
              ))}
            </dd>
          </div>
        </dl>
      )}
      <EraseDialog
        userId={userId}
        keys={keys}
        report={report}
        isOpen={isErasing}
        onClose={() => setErasing(false)}
        onDone={onChanged}
      />
    </>
  )
}
