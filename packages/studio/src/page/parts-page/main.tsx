import { render } from 'preact'
import '../style/fonts.css'
import '../style/all.css'
import '../shell/view.css'
import { useState } from 'preact/hooks'
import { PageHead } from '../parts/page/page-head.tsx'
import { RangeSwitch, rangeMs, rangeOf } from '../parts/page/range-switch.tsx'
import { Toasts } from '../parts/page/toasts.tsx'
import { ChartsShown } from './charts-shown.tsx'
import { CodeShown } from './code-shown.tsx'
import { ControlsShown } from './controls-shown.tsx'
import { ListsShown } from './lists-shown.tsx'
import { PagesShown } from './pages-shown.tsx'

/** All parts of the page in all states: to look at, and to be tested. No view, and not part of a release. */
function PartsPage() {
  const [range, setRange] = useState(rangeOf(undefined))
  return (
    <main id="main" class="view">
      <PageHead
        title="Parts"
        note="Colour says what events do; controls are ink."
        crumbs={[{ text: 'Sluice Studio', href: '#studio' }]}
        actions={<RangeSwitch value={range} onChange={setRange} />}
      />
      <p class="hint">The chosen range has {rangeMs[range] / 3_600_000} hours.</p>
      <div class="grid two">
        <ControlsShown />
        <ChartsShown />
        <CodeShown />
        <PagesShown />
        <ListsShown />
      </div>
      <Toasts />
    </main>
  )
}

const root = document.getElementById('app')
if (root) render(<PartsPage />, root)
