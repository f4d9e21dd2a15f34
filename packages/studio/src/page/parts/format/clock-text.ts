const minutes = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const days = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' })

/** Returns the time of a moment here: `14:05`. @param at milliseconds since the epoch. */
export function clockText(at: number): string {
  return minutes.format(at)
}

/** Returns the day of a moment here: `Mon 24`. */
export function dayText(at: number): string {
  return days.format(at)
}
