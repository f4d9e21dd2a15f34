import { type Ribbon, Ribbons } from '../../parts/charts/ribbons.tsx'

const height = 900
const into: readonly Ribbon[] = [
  { id: 'web', from: [120, 250], to: [360, 430], state: 'good' },
  { id: 'app', from: [330, 420], to: [430, 480], state: 'good' },
  { id: 'till', from: [620, 650], to: [480, 498], state: 'good' },
]
const out: readonly Ribbon[] = [
  { id: 'all', from: [360, 498], to: [40, 178], state: 'good' },
  { id: 'most', from: [360, 498], to: [240, 378], state: 'good' },
  { id: 'some', from: [360, 498], to: [460, 560], state: 'good' },
  { id: 'few', from: [360, 498], to: [640, 700], state: 'good' },
  { id: 'one', from: [480, 498], to: [800, 818], state: 'good' },
]

/** A picture of events that pass a gate. */
export function SignInPicture() {
  return (
    <div class="sign-picture" aria-hidden="true">
      <div class="sign-in-flow">
        <Ribbons height={height} ribbons={into} />
      </div>
      <div class="sign-out-flow">
        <Ribbons height={height} ribbons={out} />
      </div>
      <div class="sign-gate" />
      <p>Every event in is an event accounted for.</p>
    </div>
  )
}
