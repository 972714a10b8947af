import { useEffect, useRef, useState } from 'react';

/**
 * A form behind a button: when it opens its first field has the focus, and when it closes its button has it again, unless it was
 * left for something else that takes it.
 */
export function useFormOpener(firstField: string) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    if (!wasOpen.current && isOpen) document.getElementById(firstField)?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, firstField]);
  const leave = () => {
    wasOpen.current = false;
    setIsOpen(false);
  };
  return { isOpen, button, open: () => setIsOpen(true), close: () => setIsOpen(false), leave };
}
