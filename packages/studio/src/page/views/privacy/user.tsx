import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'
import { Held, heldText, useHeld } from './held.tsx'
import { Proof } from './proof.tsx'
import { type Deletions, type Regulation, typeText } from './regulation.ts'

/** One user: the regulations, what is held, deletions under way, and what can be done. */
export function User({ userId, onChanged }: { readonly userId: string; readonly onChanged: () => void }) {
  const path = `/v2/regulations?userId=${encodeURIComponent(userId)}&limit=100`
  const { state, refresh } = usePolled(
    path,
    (signal) => request<{ readonly data: readonly Regulation[] }>(path, { signal }),
    5_000,
  )
  const held = useHeld(userId)
  const report = held.state.value
  const action = useAction()
  const { value, error } = state.value
  const own = value?.data ?? []
  const inForce = own.filter(({ canceled }) => !canceled)
  const create = (regulationType: Regulation['regulationType']): void =>
    void action.run(async () => {
      await request('/v2/regulations', {
        method: 'POST',
        body: { regulationType, users: [{ userId }] },
        waitMs: 60_000,
      })
      await Promise.all([refresh(), held.refresh()])
      onChanged()
      return regulationType === 'suppress'
        ? 'In force: no event of this user passes from now on.'
        : 'In force: no event of this user passes, and deletion has begun.'
    })
  const cancel = (id: string): void =>
    void action.run(async () => {
      await request(`/v2/regulations/${id}`, { method: 'DELETE', waitMs: 60_000 })
      await Promise.all([refresh(), held.refresh()])
      onChanged()
      return 'Cancelled: events of this user pass again.'
    })
  const mayChange = allows('write') && allows('operate')
  return (
    <section class="card" aria-label={`user ${userId}`}>
      <h2>
        User <code>{userId}</code>
      </h2>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value ? (
        <p>
          {inForce.length > 0
            ? 'Suppressed: no event of this user passes.'
            : 'Not suppressed: events of this user pass.'}
        </p>
      ) : null}
      {mayChange ? (
        <div class="row">
          <ConfirmButton
            text="Suppress"
            question={`From the next batch on, all events of ${userId} are dropped at all sources, before they are stored.`}
            confirm="Suppress this user"
            isDisabled={action.isBusy}
            onConfirm={() => create('suppress')}
          />
          <ConfirmButton
            text="Suppress and delete"
            question={`All events of ${userId} are dropped from now on, and what is held of the user is deleted: in Sluice, and at all destinations that can delete. ${report.value ? heldText(report.value) : 'It is not known yet how much that is.'} Deletion cannot be undone.`}
            confirm="Suppress and delete this user"
            isDanger
            isDisabled={action.isBusy}
            onConfirm={() => create('suppress_with_delete')}
          />
        </div>
      ) : (
        <Notice kind="plain">Your token may look only: suppressing needs the scopes write and operate.</Notice>
      )}
      <Outcome action={action} />
      <DataTable
        caption="Regulations of this user"
        rows={own}
        keyOf={({ id }) => id}
        empty="There is none."
        columns={[
          { title: 'what', cell: typeText },
          { title: 'state', cell: ({ canceled }) => (canceled ? 'cancelled' : 'in force') },
          { title: 'id', cell: ({ id }) => <code>{id}</code> },
          {
            title: 'cancel',
            cell: ({ id, canceled }) =>
              canceled || !mayChange ? null : (
                <ConfirmButton
                  text="Cancel"
                  question={`Events of ${userId} pass again from the next batch on. What was deleted stays deleted.`}
                  confirm="Cancel the regulation"
                  isDisabled={action.isBusy}
                  onConfirm={() => cancel(id)}
                />
              ),
          },
        ]}
      />
      {own
        .filter(({ regulationType }) => regulationType === 'suppress_with_delete')
        .map(({ id }) => (
          <Progress key={id} id={id} userId={userId} />
        ))}
      <Held report={report} />
    </section>
  )
}

/** How far the deletion of the user is, by destination, with the proof. */
function Progress({ id, userId }: { readonly id: string; readonly userId: string }) {
  const path = `/v2/regulations/${id}/deletions`
  const { value, error } = usePolled(path, (signal) => request<Deletions>(path, { signal }), 3_000).state.value
  return (
    <>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value ? (
        <>
          <DataTable
            caption={`Deletion of regulation ${id}: ${value.isOver ? 'nothing more will be done' : 'under way'}`}
            rows={value.data}
            keyOf={({ destination }) => destination}
            empty="Nothing has to be deleted."
            columns={[
              { title: 'where', cell: ({ destination }) => destination },
              { title: 'status', cell: ({ status }) => status },
              { title: 'attempts', isNumber: true, cell: ({ attempts }) => attempts },
              { title: 'since', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
              {
                title: 'why',
                cell: ({ reason, nextAt }) => (
                  <>
                    {reason} {nextAt ? <>next attempt {<Time at={nextAt} />}</> : null}
                  </>
                ),
              },
            ]}
          />
          <Proof id={id} userId={userId} />
        </>
      ) : null}
    </>
  )
}
