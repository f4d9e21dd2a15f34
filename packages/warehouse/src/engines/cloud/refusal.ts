import { WarehouseError } from '../../load/warehouse-error.ts'

/** What an operator can do, by a code of the product or an HTTP status. */
export type Advice = Readonly<Record<string, string>>

/** Characters of a message of a product that are shown. */
const messageMax = 500

/**
 * Returns a refusal by a product with what to do.
 * @param codes the first with advice counts. @param isOfRows whether a value or a row is at fault.
 */
export function refusal(
  place: string,
  message: string,
  codes: readonly string[],
  advice: Advice,
  isOfRows = false,
): WarehouseError {
  const code = codes.find((each) => advice[each] !== undefined)
  const hint = code === undefined ? '' : ` ${advice[code]}`
  const [first = ''] = message.split('\n', 1)
  const shown = first.slice(0, messageMax).replace(/\.?$/, '.')
  return new WarehouseError(`${place}: ${shown}${hint}`, code ?? codes[0] ?? 'UNKNOWN', isOfRows)
}
