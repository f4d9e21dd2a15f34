import { useState } from 'preact/hooks'
import { bytesText } from '../parts/format/bytes-text.ts'
import { Dialog } from '../parts/page/dialog.tsx'
import { EmptyState } from '../parts/page/empty-state.tsx'
import { Facts } from '../parts/page/facts.tsx'
import { Panel } from '../parts/page/panel.tsx'
import { Skeleton } from '../parts/page/skeleton.tsx'
import { StateSentence } from '../parts/page/state-sentence.tsx'
import { Tabs } from '../parts/page/tabs.tsx'
import { Tile, Tiles } from '../parts/page/tile.tsx'
import { Timeline } from '../parts/page/timeline.tsx'
import { showToast } from '../parts/page/toasts.tsx'

/** Pieces of pages, and what is shown in place of them. */
export function PagesShown() {
  const [tab, setTab] = useState<'facts' | 'history'>('facts')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Panel title="Tabs" isFlush>
        <Tabs
          label="About a destination"
          kind="inset"
          value={tab}
          onChange={setTab}
          tabs={[
            {
              id: 'facts',
              title: 'Facts',
              content: () => (
                <div class="panel-body">
                  <Facts
                    rows={[
                      { name: 'Type', value: 'Webhook' },
                      { name: 'Sent', value: bytesText(1_572_864) },
                    ]}
                  />
                </div>
              ),
            },
            {
              id: 'history',
              title: 'History',
              count: '2',
              isBad: true,
              content: () => (
                <div class="panel-body">
                  <Timeline
                    label="History"
                    moments={[
                      {
                        key: 'a',
                        state: 'good',
                        icon: 'check',
                        text: 'Accepted',
                        note: 'from Web shop',
                        at: '14:05:01',
                      },
                      { key: 'b', state: 'bad', icon: 'x', text: 'Refused', at: '120 ms', more: <p>It said 400.</p> },
                    ]}
                  />
                </div>
              ),
            },
          ]}
        />
      </Panel>
      <Panel title="States of a page" foot={<span>As of now</span>} note="One of each">
        <StateSentence state="bad" actions={<button type="button">Try now</button>}>
          <b>CRM does not answer.</b> <span>4,118 events wait.</span>
        </StateSentence>
        <Tiles isFour>
          <Tile title="Failed" value="1,214" change={{ text: '+402', state: 'bad' }} note="393 of one publication" />
          <Tile title="Waiting" value="7,872" />
        </Tiles>
        <EmptyState icon="radio" title="No event matches" action={<button type="button">Show all outcomes</button>}>
          All events since then were delivered.
        </EmptyState>
        <Skeleton lines={2} />
        <div class="row">
          <button type="button" onClick={() => setOpen(true)}>
            Open the dialog
          </button>
          <button type="button" onClick={() => showToast('It is saved.')}>
            Show a toast
          </button>
        </div>
      </Panel>
      <Dialog
        title="Publish mask orders?"
        note="What it would change on the last 500 events"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        foot={
          <>
            <span class="left">Nothing is sent again.</span>
            <button type="button" class="main" onClick={() => setOpen(false)}>
              Publish
            </button>
          </>
        }
      >
        <p>12 events would fail.</p>
      </Dialog>
    </>
  )
}
