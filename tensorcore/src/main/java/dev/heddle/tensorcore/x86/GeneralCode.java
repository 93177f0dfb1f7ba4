package dev.heddle.tensorcore.x86;

import dev.heddle.tensorcore.x86.Assembler.Arithmetic;

/// Instructions on general registers.
abstract sealed class GeneralCode extends CodeBuffer permits Assembler {
    final void general(boolean wide, int opcode, int reg, Operand rm) {
        rex(wide, reg, number(rm));
        put(opcode);
        modrm(reg, rm, 1, 0);
    }

    /// With a constant of 32 bits behind.
    private void general(boolean wide, int opcode, int reg, Operand rm, int value) {
        rex(wide, reg, number(rm));
        put(opcode);
        modrm(reg, rm, 1, 4);
        putInt(value);
    }

    /// `target = source`, 32 bits, the upper half zero.
    public void move(int target, Operand source) {
        general(false, 0x8b, target, source);
    }

    /// `target = source`, 64 bits.
    public void moveLong(int target, Operand source) {
        general(true, 0x8b, target, source);
    }

    /// `[target] = source`, 32 bits.
    public void store(Operand target, int source) {
        general(false, 0x89, source, target);
    }

    /// `target = source`, 8 or 16 bits, with their sign or zeros above.
    public void moveNarrow(int target, Operand source, int bytes, boolean signed) {
        rex(false, target, number(source));
        put(0x0f);
        put((signed ? 0xbe : 0xb6) | (bytes == 1 ? 0 : 1));
        modrm(target, source, 1, 0);
    }

    /// Loads an element of a list: as wide as its place is apart from the next one's.
    ///
    /// @param isLong whether elements have 64 bits, or 32
    /// @param list how far behind the base it stands
    public void loadAt(boolean isLong, int target, int base, int index, int list) {
        put(0x40 | (isLong ? 8 : 0) | (target >>> 3) << 2 | (index >>> 3) << 1 | base >>> 3);
        put(0x8b);
        put(0x84 | (target & 7) << 3);
        put((isLong ? 0xc0 : 0x80) | (index & 7) << 3 | base & 7);
        putInt(list);
    }

    /// `[target] = source`, 8 or 16 bits.
    ///
    /// @param source one of the first four registers, of which the low byte has a name
    public void storeNarrow(Operand target, int source, int bytes) {
        if (bytes == 1) {
            general(false, 0x88, source, target);
        } else {
            put(0x66);
            general(false, 0x89, source, target);
        }
    }

    /// Swaps a register and memory, 32 bits, at once for all processors.
    public void exchange(Operand memory, int register) {
        general(false, 0x87, register, memory);
    }

    /// `[target] = source`, 64 bits.
    public void storeLong(Operand target, int source) {
        general(true, 0x89, source, target);
    }

    public void moveConstant(int target, int value) {
        rex(false, 0, target);
        put(0xb8 | target & 7);
        putInt(value);
    }

    /// `[target] = value`, 32 bits.
    public void storeConstant(Operand target, int value) {
        general(false, 0xc7, 0, target, value);
    }

    /// `target = target operation source`, 32 bits.
    public void arithmetic(Arithmetic operation, int target, Operand source) {
        general(false, operation.digit << 3 | 3, target, source);
    }

    /// The same, 64 bits.
    public void arithmeticLong(Arithmetic operation, int target, Operand source) {
        general(true, operation.digit << 3 | 3, target, source);
    }

    /// `[target] = [target] operation source`, 32 bits.
    public void arithmeticInto(Arithmetic operation, Operand target, int source) {
        general(false, operation.digit << 3 | 1, source, target);
    }

    /// The same, 64 bits.
    public void arithmeticLongInto(Arithmetic operation, Operand target, int source) {
        general(true, operation.digit << 3 | 1, source, target);
    }

    /// `target = target operation value`, 32 bits.
    public void arithmetic(Arithmetic operation, Operand target, int value) {
        general(false, 0x81, operation.digit, target, value);
    }

    /// `target = target operation value`, 64 bits, the value sign-extended.
    public void arithmeticLong(Arithmetic operation, int target, int value) {
        general(true, 0x81, operation.digit, Operand.register(target), value);
    }

    public void test(int a, int b) {
        general(false, 0x85, b, Operand.register(a));
    }

    public void testLong(int a, int b) {
        general(true, 0x85, b, Operand.register(a));
    }

    public void testConstant(int a, int value) {
        general(false, 0xf7, 0, Operand.register(a), value);
    }

    public void not(int register) {
        general(false, 0xf7, 2, Operand.register(register));
    }

    public void shiftRight(int register, int amount) {
        general(false, 0xc1, 5, Operand.register(register));
        put(amount);
    }

    public void shiftRightLong(int register, int amount) {
        general(true, 0xc1, 5, Operand.register(register));
        put(amount);
    }

    /// `target = source * factor`, 64 bits.
    public void multiply(int target, int source, int factor) {
        general(true, 0x69, target, Operand.register(source), factor);
    }

    /// `target = source + displacement`, 64 bits.
    public void address(int target, Operand source) {
        general(true, 0x8d, target, source);
    }

    public void countBits(int target, int source) {
        countBits(false, target, source);
    }

    public void countBitsLong(int target, int source) {
        countBits(true, target, source);
    }

    private void countBits(boolean wide, int target, int source) {
        put(0xf3);
        rex(wide, target, source);
        put(0x0f);
        put(0xb8);
        put(0xc0 | (target & 7) << 3 | source & 7);
    }

    public void push(int register) {
        rex(false, 0, register);
        put(0x50 | register & 7);
    }

    public void pop(int register) {
        rex(false, 0, register);
        put(0x58 | register & 7);
    }

    public void ret() {
        put(0xc3);
    }
}
