import { countText } from '../../../parts/format/count.tsx'

/** Returns how many people, in words. */
export function peopleText(count: number): string {
  return count === 1 ? '1 person' : `${countText(count)} people`
}
