// Decimal numbers as whole numbers of small units, without the error of floating point.

/**
 * How many units of 10^-digits a decimal number has, rounded half away from zero.
 * @param text such as `-12.3450`
 */
export function toUnits(text: string, digits: number): number {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  const kept = fraction.slice(0, digits).padEnd(digits, '0');
  const isRoundedUp = fraction.charAt(digits) >= '5';
  const units = Number(whole + kept) + (isRoundedUp ? 1 : 0);
  return sign === '-' && units !== 0 ? -units : units;
}
