/**
 * Returns a part of a whole in per cent. A part that exists is never `0 %`, and one that is not all is never `100 %`.
 * @param digits after the point.
 */
export function shareText(part: number, whole: number, digits = 1): string {
  if (whole === 0) return '–'
  const least = 10 ** -digits
  const share = (part / whole) * 100
  if (share > 0 && share < least / 2) return `< ${least.toFixed(digits)} %`
  if (share < 100 && share > 100 - least / 2) return `> ${(100 - least).toFixed(digits)} %`
  return `${share === 0 || share === 100 ? share : share.toFixed(digits)} %`
}
