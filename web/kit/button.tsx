import type { ReactNode, Ref } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import './button.css';

interface ButtonProps {
  children: ReactNode;
  /** strong: what the screen is for; plain: another way on; quiet: looks like a link; danger: ends something. */
  variant?: 'strong' | 'plain' | 'quiet' | 'danger';
  type?: 'button' | 'submit';
  /**
   * Its work is under way: it keeps the focus and ignores a second press (`Busy` announces it; isPending leaves a
   * nameless image behind).
   */
  busy?: boolean;
  /** It cannot be pressed yet; what is missing stands beside it. */
  disabled?: boolean;
  onPress?: () => void;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  children,
  variant = 'plain',
  type = 'button',
  busy = false,
  disabled = false,
  onPress,
  ref,
}: ButtonProps) {
  return (
    <AriaButton
      ref={ref}
      type={type}
      isDisabled={disabled}
      className={`button button-${variant}${busy ? ' button-busy' : ''}`}
      onPress={() => busy || onPress?.()}
    >
      {children}
    </AriaButton>
  );
}
