/** States of the USA and their two-letter codes, as platforms want them. Source: ANSI INCITS 38. */
const codes: ReadonlyMap<string, string> = new Map(
  `alabama al,alaska ak,arizona az,arkansas ar,california ca,colorado co,connecticut ct,delaware de,districtofcolumbia dc,florida fl,
   georgia ga,hawaii hi,idaho id,illinois il,indiana in,iowa ia,kansas ks,kentucky ky,louisiana la,maine me,maryland md,massachusetts ma,
   michigan mi,minnesota mn,mississippi ms,missouri mo,montana mt,nebraska ne,nevada nv,newhampshire nh,newjersey nj,newmexico nm,
   newyork ny,northcarolina nc,northdakota nd,ohio oh,oklahoma ok,oregon or,pennsylvania pa,rhodeisland ri,southcarolina sc,
   southdakota sd,tennessee tn,texas tx,utah ut,vermont vt,virginia va,washington wa,westvirginia wv,wisconsin wi,wyoming wy`
    .split(',')
    .map((line): [string, string] => {
      const [name = '', code = ''] = line.trim().split(' ')
      return [name, code]
    }),
)

/** Returns the code of a state of the USA; other states as they are. @param state in lower case, without blanks. */
export function usStateCode(state: string): string {
  return codes.get(state) ?? state
}
